import { agesOfIp, freshnessOf } from "../../risk/freshness.ts";
import type { PolicyInput } from "../../risk/policy.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { Ip } from "../../targets/ip.ts";
import { specialPurposeOf } from "../../targets/special-purpose.ts";
import type { Deps } from "../deps.ts";
import { ipSignals, sharedInfrastructureOf } from "./signals.ts";

/** The score of an address by what is in memory, and the age of that in seconds; null: nothing answered. */
export type JudgedIp = PolicyInput & { readonly dataAgeS: number | null };

const NO_WAITING = { signal: new AbortController().signal, deadlineMs: 0, isListsOnly: true } as const;

/**
 * The score of an address by the compiled lists and tables alone: what check-ip says without DNS blacklists and without the
 * operator's live sources. Nothing is asked and nothing is waited for.
 */
export function judgeFromLists(
  ip: Ip,
  { engines, ipEnrichment, clock }: Pick<Deps, "engines" | "ipEnrichment" | "clock">,
): JudgedIp {
  const special = specialPurposeOf(ip);
  const isBogon = special?.isBogon ?? false;
  const consultation = engines.consult(
    {
      ...{ kind: "ip", ip, isBogon },
      embeddedIpv4: special?.embeddedIpv4 ?? null,
      asn: ipEnrichment.asnOf(ip, special),
    },
    NO_WAITING,
  );
  if (consultation instanceof Promise) throw new Error("The lists alone are not waited for");
  const flags = ipEnrichment.flagsOf(ip, special);
  const computedAt = clock.now();
  const score = scoreTarget({
    consultation,
    signals: ipSignals(flags, null),
    sharedInfrastructure: sharedInfrastructureOf(flags),
    isBogon,
    computedAt,
  });
  return {
    score,
    consultation,
    dataAgeS: freshnessOf(consultation, agesOfIp(flags.ages), computedAt).data_age_s,
  };
}
