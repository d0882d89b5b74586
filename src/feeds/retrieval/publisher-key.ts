import { createHash } from "node:crypto";
import { z } from "zod";
import { formsOf } from "../../base/clean-text.ts";

/** A publisher's key as its text may be: one line without blanks, so that it fits into a URL, a header and a zone's name. */
const KEY_TEXT = /^[\x21-\x7e]{4,512}$/;

/** Names under `engines.keys`. */
export const KEY_NAME = /^[a-z0-9_]{1,64}$/;

const EXPECTED = "4 to 512 printable ASCII characters in one line, without blanks";

export const publisherKeySchema = z.string().regex(KEY_TEXT, `Expected ${EXPECTED}`);

/** What a text must be to be a publisher's key; null when it is. */
export const publisherKeyFault = (text: string): string | null => (KEY_TEXT.test(text) ? null : EXPECTED);

/** How a row takes a publisher's key, beside its `url` or `zone`. */
export const authSchema = z.strictObject({
  key: z.string().regex(KEY_NAME).describe("Name of the key under engines.keys"),
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe("Request header that takes it"),
  value: z
    .string()
    .max(200)
    .optional()
    .describe("The header's value: {key} becomes the key, {base64} the same encoded; default: {key}"),
  url: z.string().max(2048).optional().describe("URL with {key}, in place of the row's"),
  required: z.boolean().default(true).describe("False: the row is also retrieved without the key"),
});
export type Auth = z.infer<typeof authSchema>;

/**
 * How a download takes a key. The key itself is not part of it: definitions go to other processes, into files and into
 * the database. `mark` changes with the key, so that a new one is tried at once.
 */
export type KeyUse = Pick<Auth, "key" | "header" | "value" | "url"> & { readonly mark: string };

/** Publishers' keys by their names. */
export type PublisherKeys = ReadonlyMap<string, string>;

export const NO_KEYS: PublisherKeys = new Map();

/** How a row takes its key; null without one, or while it is not configured. */
export function keyUseOf(auth: Auth | undefined, keys: PublisherKeys): KeyUse | null {
  const key = auth === undefined ? undefined : keys.get(auth.key);
  if (auth === undefined || key === undefined) return null;
  const { required: _, ...use } = auth;
  const mark = createHash("sha256").update(`${auth.key}\n${key}`).digest("hex").slice(0, 16);
  return { ...use, mark };
}

/** A request with the key in its place. */
export type KeyedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that may go to the host of `url` and to no other. */
  readonly secrets: readonly string[];
};

/** The request of a source, with its key where it takes one and that is configured. */
export function withKey(
  request: Pick<KeyedRequest, "url" | "headers">,
  use: KeyUse | null,
  keys: PublisherKeys,
): KeyedRequest {
  const key = use === null ? undefined : keys.get(use.key);
  if (use === null || key === undefined) return { ...request, secrets: [] };
  const base64 = Buffer.from(key).toString("base64");
  const headers =
    use.header === undefined
      ? request.headers
      : { ...request.headers, [use.header]: fill(use.value ?? "{key}", { key, base64 }) };
  const encoded = encodeURIComponent(key);
  return {
    url: use.url === undefined ? request.url : use.url.replaceAll("{key}", () => encoded),
    headers,
    secrets: formsOf(key),
  };
}

const fill = (template: string, { key, base64 }: { readonly key: string; readonly base64: string }): string =>
  template.replaceAll("{key}", () => key).replaceAll("{base64}", () => base64);
