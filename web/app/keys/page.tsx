import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { OrLargerPlan } from "../larger-plan.tsx";
import { Page } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { CreateKey } from "./create-key.tsx";
import { EditKey } from "./edit-key.tsx";
import type { Key } from "./key.ts";
import { ActiveKeys, type KeyAction, PastKeys } from "./key-tables.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RollKey } from "./roll-key.tsx";
import { Tokens } from "./tokens.tsx";

/** The API keys of the account. */
export function KeysPage() {
  const keys = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => dashboard.keys(signal) });
  const [isCreating, setIsCreating] = useState(false);
  const [change, setChange] = useState<Change | null>(null);
  const { is_reader: isReader, person } = useAccount();
  const isFull = keys.data !== undefined && keys.data.active >= keys.data.max;
  const products = keys.data?.products ?? [];
  return (
    <Page
      title="Keys"
      intro="A key can spend the credits of this account. Use one for each application, and revoke it when it may have leaked."
      actions={
        <Button tone="primary" disabled={isFull || isReader} onClick={() => setIsCreating(true)}>
          <Plus aria-hidden="true" />
          Create key
        </Button>
      }
    >
      <Loaded query={keys} what="the keys">
        {(view) => (
          <KeyList view={view} onAct={isReader ? null : (key, action) => setChange({ key, action })} />
        )}
      </Loaded>
      <Tokens isReader={person?.role !== "owner"} />
      {isCreating && <CreateKey products={products} onClose={() => setIsCreating(false)} />}
      {change !== null && <ChangeKey change={change} products={products} onClose={() => setChange(null)} />}
    </Page>
  );
}

type Change = { readonly key: Key; readonly action: KeyAction };

type ChangeKeyProps = {
  readonly change: Change;
  readonly products: readonly string[];
  readonly onClose: () => void;
};

function ChangeKey({ change: { key, action }, products, onClose }: ChangeKeyProps) {
  switch (action) {
    case "edit":
      return <EditKey apiKey={key} products={products} onClose={onClose} />;
    case "roll":
      return <RollKey apiKey={key} onClose={onClose} />;
    case "revoke":
      return <RevokeKey apiKey={key} onClose={onClose} />;
    default:
      return action satisfies never;
  }
}

type KeyListProps = {
  readonly view: Shapes["KeysView"];
  readonly onAct: ((key: Key, action: KeyAction) => void) | null;
};

function KeyList({ view: { keys, active, max }, onAct }: KeyListProps) {
  const working = keys.filter(({ state }) => state === "active");
  const past = keys.filter(({ state }) => state !== "active");
  return (
    <>
      <p className="muted">
        {active} of {max} active keys that the plan allows.{" "}
        {active >= max && (
          <>
            To create another, revoke one
            <OrLargerPlan />.
          </>
        )}
      </p>
      {working.length === 0 ? (
        <Empty title="No active key" icon={<KeyRound size={22} aria-hidden="true" />}>
          <p>
            Your programs use a key for their lookups.{" "}
            {onAct === null
              ? "An owner or a member of this account creates it."
              : "Create the first one above."}
          </p>
        </Empty>
      ) : (
        <ActiveKeys all={keys} keys={working} onAct={onAct} />
      )}
      {past.length > 0 && <PastKeys all={keys} keys={past} onAct={onAct} />}
    </>
  );
}
