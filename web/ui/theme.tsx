import { Monitor, Moon, Sun } from "lucide-react";
import { useId, useSyncExternalStore } from "react";
import "./theme.css";

type Theme = "system" | "light" | "dark";

const CHANGED = "repute-theme";
const YEAR_S = 31_536_000;

/** As the service put it on the page, by the cookie. */
function chosenTheme(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Kept in a cookie, so that the service sends the next page in the right colours. */
function chooseTheme(theme: Theme): void {
  const age = theme === "system" ? 0 : YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is not everywhere
  document.cookie = `repute_theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  dispatchEvent(new Event(CHANGED));
}

/** Calls back when the colours changed: by choice, by the system, or for paper, which is light. */
export function onThemeChange(callback: () => void): () => void {
  const changes = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("print")];
  for (const change of changes) change.addEventListener("change", callback);
  addEventListener(CHANGED, callback);
  return () => {
    for (const change of changes) change.removeEventListener("change", callback);
    removeEventListener(CHANGED, callback);
  };
}

const THEMES = [
  { theme: "system", label: "As the system has it", Icon: Monitor },
  { theme: "light", label: "Light", Icon: Sun },
  { theme: "dark", label: "Dark", Icon: Moon },
] as const;

/** System, light or dark. */
export function ThemeSwitch() {
  const name = useId();
  const theme = useSyncExternalStore(onThemeChange, chosenTheme, () => "system" as const);
  return (
    <fieldset className="theme">
      <legend className="visually-hidden">Colours</legend>
      {THEMES.map(({ theme: value, label, Icon }) => (
        <label key={value} title={label}>
          <input type="radio" name={name} checked={theme === value} onChange={() => chooseTheme(value)} />
          <Icon size={15} aria-hidden="true" />
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
