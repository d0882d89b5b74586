import { DEFAULT_POLICY } from "../risk/policy-options.ts";
import type { ConfigFile } from "./file-schema.ts";

/** Something without which `repute serve` does not start: the key, and what is wrong. */
export type StartFault = { readonly path: readonly (string | number)[]; readonly message: string };

/** What the sections of a configuration file want of one another: `repute serve` does not start with one of these. */
export function startFaults(file: Wanted): readonly StartFault[] {
  return [...mailFaults(file), ...exportFaults(file)];
}

type Wanted = Pick<ConfigFile, "dashboard" | "mail"> & Partial<Pick<ConfigFile, "exports" | "policies">>;

function mailFaults({ dashboard, mail }: Wanted): readonly StartFault[] {
  if (dashboard.signup !== "open" || mail.smtp_url !== null) return [];
  const message =
    "dashboard.signup: open needs mail.smtp_url: a mailed link proves the e-mail address of each sign-up";
  return [{ path: ["dashboard", "signup"], message }];
}

function exportFaults({ exports = [], policies = {} }: Wanted): readonly StartFault[] {
  const known = new Set([DEFAULT_POLICY, ...Object.keys(policies)]);
  return exports.flatMap(({ name, policy }, i) => {
    if (policy === null || known.has(policy)) return [];
    const message = `exports[${i}].policy: the export "${name}" names "${policy}"; policies are ${[...known].join(", ")}`;
    return [{ path: ["exports", i, "policy"], message }];
  });
}
