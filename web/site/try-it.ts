// What the API reference gains where scripts run: each call can be sent, with a key or by the session.

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

/** Makes the forms of the page work. */
export function startTryIt(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-try]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void submit(form);
    });
  }
}
