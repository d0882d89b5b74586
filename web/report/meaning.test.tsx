import fc from "fast-check";
import { expect, test } from "vitest";
import { meaningOf, VERDICTS, type VerdictWord } from "./bands.tsx";

const HARMLESS = ["vpn", "proxy", "tor", "policy"];
const HARMFUL = ["hijacked", "c2", "malware", "phishing", "attack", "abuse", "spam", "scanner", "suspicious"];
const GUILTY: readonly VerdictWord[] = ["low", "suspicious", "elevated", "high", "critical"];

test.each([
  ["low", ["vpn"], "Known as VPN, which is not abuse by itself."],
  ["low", ["vpn", "vpn"], "Known as VPN, which is not abuse by itself."],
  ["suspicious", ["proxy", "tor"], "Known as proxy, Tor exit, which is not abuse by itself."],
  ["low", ["policy"], "Known as excluded by policy, which is not abuse by itself."],
  ["low", ["vpn", "spam"], "Weak evidence of abuse."],
  ["low", [], "Weak evidence of abuse."],
  ["clean", ["vpn"], "No sign of abuse was found."],
  ["unknown", ["vpn"], "Too few engines answered to say clean."],
] as const)("%s by %j: %s", (verdict, categories, words) =>
  expect(meaningOf(verdict, categories)).toBe(words),
);

test("one list of anything else is evidence of abuse, whatever stands beside it", () => {
  const anyOf = fc.array(fc.constantFrom(...HARMLESS, ...HARMFUL, "aggregate"));
  fc.assert(
    fc.property(fc.constantFrom(...GUILTY), anyOf, (verdict, categories) => {
      const isHarmless = categories.length > 0 && categories.every((one) => HARMLESS.includes(one));
      expect(meaningOf(verdict, categories) === VERDICTS[verdict].meaning).toBe(!isHarmless);
    }),
  );
});
