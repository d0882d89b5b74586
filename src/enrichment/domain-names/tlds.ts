import { fileURLToPath } from "node:url";
import { getPublicSuffix } from "tldts";
import { z } from "zod";
import { readPackaged } from "../../yaml/packaged-yaml.ts";

const riskyTldsSchema = z.strictObject({
  checked: z.iso.date(),
  tlds: z.array(z.strictObject({ tld: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/), why: z.string() })),
});

/** Top-level domains with a high share of abuse, and why. Throws when the file does not fit its schema. */
export function loadRiskyTlds(): ReadonlyMap<string, string> {
  const path = fileURLToPath(new URL("../catalogue/risky-tlds.yaml", import.meta.url));
  const { tlds } = readPackaged(path, riskyTldsSchema);
  return new Map(tlds.map(({ tld, why }) => [tld, why]));
}

/** Last label or labels of the public suffix, ICANN section: `com`, `co.uk`. Source: design 6.4. */
export const tldOf = (name: string): string =>
  getPublicSuffix(name, { extractHostname: false, validateHostname: false }) ?? name.split(".").at(-1) ?? "";

/** Whether a TLD as `tldOf` gives it, or its last label, is among the risky ones. */
export const isRiskyTld = (risky: ReadonlyMap<string, string>, tld: string): boolean =>
  risky.has(tld) || risky.has(tld.split(".").at(-1) ?? "");
