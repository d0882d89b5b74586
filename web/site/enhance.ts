import "../styles/tokens.css";
import "../styles/base.css";
import "../report/report.css";
import "../report/engines.css";
import "../report/json-tree.css";
import "./site.css";
import "./pages.css";
import "./reference.css";
import { writeToClipboard } from "../ui/clipboard.ts";
import { chooseTheme, currentTheme, type ThemeChoice } from "./theme.ts";

// What public pages gain where scripts run: the theme switch, the copy buttons and the keys of the search. Nothing else depends on it.

const all = (selector: string): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];

const themeOf = (button: HTMLElement): ThemeChoice => {
  const choice = button.dataset["themeChoice"];
  return choice === "light" || choice === "dark" ? choice : "system";
};

function showTheme(): void {
  for (const button of all("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(themeOf(button) === currentTheme()));
  }
}

function announce(text: string): void {
  const place = document.getElementById("announcement");
  if (place !== null) place.textContent = text;
}

const SHOWN_MS = 1_500;

async function copy(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent;
  try {
    await writeToClipboard(text);
    button.textContent = "Copied";
    announce("Copied");
  } catch {
    announce("The browser did not allow copying");
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}

/** The JSON of a tree: its text without the notes for readers. */
function jsonOf(id: string): string {
  const tree = document.getElementById(id)?.cloneNode(true);
  if (!(tree instanceof HTMLElement)) return "";
  for (const note of tree.querySelectorAll(".json-note")) note.remove();
  return JSON.stringify(JSON.parse(tree.textContent), null, 2);
}

function copyButtonOf(block: HTMLElement): HTMLElement {
  const pre = block.querySelector("pre");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-quiet";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${pre?.ariaLabel ?? ""}`);
  button.addEventListener("click", () => void copy(button, pre?.textContent ?? ""));
  return button;
}

for (const button of all("[data-theme-choice]")) {
  button.addEventListener("click", () => {
    chooseTheme(themeOf(button));
    showTheme();
  });
}
for (const button of all("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button, button.dataset["copy"] ?? ""));
}
for (const button of all("[data-copy-json]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button, jsonOf(button.dataset["copyJson"] ?? "")));
}
for (const block of all(".code-block")) block.prepend(copyButtonOf(block));
// The API reference alone has calls to try.
if (document.querySelector("[data-try]") !== null) {
  void import("./try-it.ts").then(({ startTryIt }) => startTryIt());
}
// What costs credits is sent once, however often the button is pressed.
for (const form of document.querySelectorAll<HTMLFormElement>("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset["sent"] !== undefined) event.preventDefault();
    form.dataset["sent"] = "";
    form.querySelector("[type=submit]")?.setAttribute("aria-disabled", "true");
  });
}
// A page that is gone back to may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) {
    delete form.dataset["sent"];
    form.querySelector("[type=submit]")?.removeAttribute("aria-disabled");
  }
});
// `/` and Ctrl-K go to the field of the page, as they open the search of the signed-in pages.
addEventListener("keydown", (event) => {
  const field = document.querySelector<HTMLInputElement>("input#q");
  const isTyping =
    event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
  const isControlled = event.ctrlKey || event.metaKey;
  const isMeant = isControlled ? event.key.toLowerCase() === "k" : event.key === "/" && !isTyping;
  if (field === null || !isMeant || event.altKey || event.isComposing) return;
  event.preventDefault();
  field.select();
});
for (const part of all(".theme-switch")) part.hidden = false;
showTheme();
