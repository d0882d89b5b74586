import { Tabs as Base } from "@base-ui/react/tabs";
import "./tabs.css";

export type Tab = { readonly value: string; readonly label: string; readonly panel: React.ReactNode };

/** Views of one thing, one at a time; arrow keys move between them. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <Base.Root className="tabs" defaultValue={tabs[0]?.value}>
      <Base.List className="tabs-list" aria-label={label}>
        {tabs.map(({ value, label: name }) => (
          <Base.Tab key={value} value={value} className="tabs-tab">
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ value, panel }) => (
        <Base.Panel key={value} value={value} className="tabs-panel">
          {panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
