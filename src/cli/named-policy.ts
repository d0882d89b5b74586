import { InvalidValue } from "../base/failure.ts";
import type { Policy } from "../risk/policy.ts";
import type { Policies } from "../risk/policy-options.ts";

/** The policy of a name that was typed. Throws InvalidValue. */
export function namedPolicy(policies: Policies, name: string): Policy {
  const policy = policies.get(name);
  if (policy !== undefined) return policy;
  const known = [...policies.keys()].join(", ");
  throw new InvalidValue("unknown_policy", `Unknown policy "${name.slice(0, 80)}": known are ${known}`);
}
