import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { maskSecrets, maskUrl } from "../config/secrets.ts";

/** What belongs to a machine, or to one process: others may have it otherwise. */
const OF_ONE_PROCESS: ReadonlySet<string> = new Set(["dns", "metrics", "fetch.ca_file"]);

/** A digest of each setting by its name in the configuration, `usage.keep_days`. */
export type Settings = Readonly<Record<string, string>>;

/**
 * What processes of one service must have alike. Passwords are no part of it: a digest of a short one could be guessed. The
 * provider's secrets are long and random.
 */
export function settingsOf({ file, valkeyUrl }: Pick<Config, "file" | "valkeyUrl">): Settings {
  const { stripe_secret_key: key, stripe_webhook_secret: secret } = file.billing;
  const shown = Object.entries({ ...file, ...Object(maskSecrets(file)) }).flatMap(([name, section]) =>
    Array.isArray(section) || typeof section !== "object" || section === null
      ? [[name, section] as const]
      : Object.entries(section).map(([member, value]) => [`${name}.${member}`, value] as const),
  );
  const all = new Map<string, unknown>([
    ...shown,
    ["billing.stripe_secret_key", key],
    ["billing.stripe_webhook_secret", secret],
    ["VALKEY_URL", valkeyUrl === null ? null : maskUrl(valkeyUrl)],
  ]);
  const alike = [...all].filter(
    ([name]) => !OF_ONE_PROCESS.has(name) && !OF_ONE_PROCESS.has(name.split(".")[0] ?? ""),
  );
  return Object.fromEntries(alike.map(([name, value]) => [name, digestOf(value)]));
}

const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64url")
    .slice(0, 16);
