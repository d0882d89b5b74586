import { CallFailure, failureOf } from "./failure.ts";

/** An answer of the service: `data` of its envelope, and the headers beside it. */
export type ServiceAnswer<T> = { readonly data: T; readonly headers: Headers };

export type CallOptions = {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

/** One call to the service that served the page. Throws CallFailure for whatever is not a success. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<ServiceAnswer<T>> {
  const response = await send(path, options);
  const envelope: { data: T } = await response.json().catch((error: unknown) => {
    throw options.signal?.aborted ? error : unreachable(error);
  });
  return { data: envelope.data, headers: response.headers };
}

/** A file, whole: one that breaks off is a CallFailure, as is whatever is not a success. */
export async function download(path: string): Promise<Blob> {
  const response = await send(path, {});
  return response.blob().catch((error: unknown) => {
    throw unreachable(error);
  });
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const { method = "GET", body, headers = {}, signal } = options;
  const init: RequestInit = {
    method,
    headers: { ...headers, Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
    credentials: "same-origin",
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await fetch(path, init).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable(error);
  });
  if (!response.ok) throw await failureOf(response);
  return response;
}

function unreachable(cause: unknown): CallFailure {
  const message = "No answer came: the service or the connection is down";
  const parts = {
    status: 0,
    code: "UNREACHABLE",
    requestId: null,
    retryAfterS: null,
    faults: [],
    cost: null,
  };
  return new CallFailure({ ...parts, message }, cause);
}
