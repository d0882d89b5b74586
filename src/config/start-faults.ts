import { DEFAULT_POLICY } from "../risk/policy-options.ts";
import type { ConfigFile } from "./file-schema.ts";

/** What the sections of a configuration file want of one another: `repute serve` does not start with one of these. */
export function startFaults(file: Wanted): readonly string[] {
  return [...mailFaults(file), ...exportFaults(file)];
}

type Wanted = Pick<ConfigFile, "dashboard" | "mail"> & Partial<Pick<ConfigFile, "exports" | "policies">>;

function mailFaults({ dashboard, mail }: Wanted): readonly string[] {
  if (dashboard.signup !== "open" || mail.smtp_url !== null) return [];
  return [
    "dashboard.signup: open needs mail.smtp_url: a mailed link proves the e-mail address of each sign-up",
  ];
}

function exportFaults({ exports = [], policies = {} }: Wanted): readonly string[] {
  const known = new Set([DEFAULT_POLICY, ...Object.keys(policies)]);
  return exports.flatMap(({ name, policy }, i) =>
    policy === null || known.has(policy)
      ? []
      : [
          `exports[${i}].policy: the export "${name}" names "${policy}"; policies are ${[...known].join(", ")}`,
        ],
  );
}
