/** The person's choice of colours; `system` follows the machine. */
export type ThemeChoice = "system" | "light" | "dark";

const YEAR_S = 31_536_000;

/** What the page shows now. The service sets it from the cookie, so that the first paint is right. */
export function currentTheme(): ThemeChoice {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows a theme and remembers it in the cookie that the service reads. */
export function chooseTheme(theme: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  const age = theme === "system" ? 0 : YEAR_S;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and the service must read it
  document.cookie = `repute_theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`;
}
