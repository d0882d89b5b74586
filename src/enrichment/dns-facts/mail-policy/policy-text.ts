import type { Resolved } from "../resolve.ts";
import { safeText } from "../text.ts";

/** Octets of a policy record that are read. Source: security P9. */
export const MAX_POLICY_OCTETS = 4096;

/** A TXT record that states a mail policy. */
export type PolicyText = {
  /** One character for each octet of its strings, joined; at most `MAX_POLICY_OCTETS`. */
  readonly octets: string;
  /** The same as answers show it. */
  readonly shown: string;
  /** Whether the record is longer than that. */
  readonly isCut: boolean;
};

/** The records among these that begin as the policy does; each cut before anything is matched. */
export const policyTexts = (
  { texts }: Pick<Resolved<"TXT">, "texts">,
  isPolicy: (text: string) => boolean,
): PolicyText[] =>
  texts
    .map(policyTextOf)
    .filter(({ octets }) => isPolicy(octets))
    .toSorted((a, b) => (a.octets < b.octets ? -1 : Number(a.octets > b.octets)));

function policyTextOf(text: Buffer): PolicyText {
  const read = text.subarray(0, MAX_POLICY_OCTETS);
  return { octets: read.toString("latin1"), shown: safeText(read), isCut: read.length < text.length };
}
