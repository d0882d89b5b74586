import { snippetsOf } from "../api/snippets.gen.ts";

// What the API reference gains where scripts run: each call can be sent, with a key or by the session, and its code says
// what the form does.

/** What is shown of an answer's headers. */
const HEADERS = [
  "x-credits-charged",
  "x-credits-remaining",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "retry-after",
  "x-request-id",
];

type Session = {
  readonly data?: {
    readonly account?: { readonly is_reader?: boolean } | null;
    readonly csrf_token?: string | null;
  };
};

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

/** The token of a session that may pay for lookups; null without one. */
async function sessionToken(): Promise<string | null> {
  const response = await fetch("/api/dashboard/session");
  if (!response.ok) return null;
  const { data }: Session = await response.json();
  return data?.account?.is_reader === false ? (data.csrf_token ?? null) : null;
}

/** Where the call goes, and what says who pays; null: nothing does. */
async function wayOf(
  form: HTMLFormElement,
  key: string,
): Promise<{ path: string; headers: Record<string, string> } | null> {
  const { try: path = "", session } = form.dataset;
  if (session === undefined) return { path, headers: {} };
  if (key !== "") return { path, headers: { "X-API-Key": key } };
  const token = await sessionToken();
  return token === null ? null : { path: session, headers: { "X-CSRF-Token": token } };
}

function queryOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name, value] of form) {
    if (name.startsWith("query-") && value !== "") query.set(name.slice("query-".length), String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

async function send(form: HTMLFormElement): Promise<readonly string[]> {
  const values = new FormData(form);
  const way = await wayOf(form, text(values, "key"));
  if (way === null) return ["Enter an API key, or sign in to the dashboard in this browser first."];
  const body = text(values, "body");
  const startedMs = performance.now();
  const response = await fetch(way.path + queryOf(values), {
    method: form.dataset["method"] ?? "GET",
    headers: { ...way.headers, ...(body === "" ? {} : { "Content-Type": "application/json" }) },
    ...(body === "" ? {} : { body }),
    credentials: "X-API-Key" in way.headers ? "omit" : "same-origin",
  });
  const answer = await response.text();
  const tookMs = Math.round(performance.now() - startedMs);
  const headers = HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`${response.status} in ${tookMs} ms`, headers.join("\n"), pretty(answer)];
}

function pretty(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), null, 2);
  } catch {
    return answer;
  }
}

function show(form: HTMLFormElement, [summary = "", ...blocks]: readonly string[]): void {
  const place = form.querySelector("output");
  if (place === null) return;
  const line = document.createElement("p");
  line.textContent = summary;
  const parts = blocks.map((block, at) => {
    const pre = document.createElement("pre");
    pre.tabIndex = 0;
    pre.setAttribute("role", "region");
    pre.setAttribute("aria-label", at === 0 ? "Headers of the answer" : "Body of the answer");
    pre.textContent = block;
    return pre;
  });
  place.replaceChildren(line, ...parts);
}

async function submit(form: HTMLFormElement): Promise<void> {
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  show(form, ["Sending …"]);
  try {
    show(form, await send(form));
  } catch {
    show(form, ["The service did not answer. Is the browser online?"]);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** The body of the call that the form makes; undefined: it has none. Throws where it is no JSON. */
const bodyOf = (values: FormData): unknown => {
  const body = text(values, "body");
  return body === "" ? undefined : JSON.parse(body);
};

const NO_JSON = "The body of the form is not JSON: the code shows the last one that was.";

/** Writes the code of the call anew, by what stands in the form. The key stays in the environment. */
function follow(form: HTMLFormElement): void {
  const operation = form.closest(".operation");
  const note = operation?.querySelector<HTMLElement>("[data-follows]") ?? null;
  const values = new FormData(form);
  const { origin = "", try: path = "", method = "GET", session } = form.dataset;
  try {
    const url = origin + path + queryOf(values);
    const call = { url, method, body: bodyOf(values), hasKey: session !== undefined };
    for (const { title, text: code } of snippetsOf(call)) {
      const place = operation?.querySelector(`[data-language="${title}"] code`);
      if (place) place.textContent = code;
    }
    if (note !== null) note.hidden = true;
  } catch (error) {
    if (!(error instanceof SyntaxError) || note === null) throw error;
    note.textContent = NO_JSON;
    note.hidden = false;
  }
}

/** Shows the text of a field that hides it, or hides it again. */
function toggle(button: HTMLElement): void {
  const field = document.getElementById(button.dataset["show"] ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  const isShown = field.type === "text";
  field.type = isShown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!isShown));
}

/** Makes the forms of the page work. */
export function startTryIt(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-try]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void submit(form);
    });
    form.addEventListener("input", () => follow(form));
    // A browser fills forms again when a page is gone back to.
    follow(form);
    for (const button of form.querySelectorAll<HTMLElement>("[data-show]")) {
      button.addEventListener("click", () => toggle(button));
    }
  }
}
