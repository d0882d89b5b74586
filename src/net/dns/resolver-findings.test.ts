import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemRandom } from "../../base/clock.ts";
import { answered, unavailable } from "../../base/failure.ts";
import type { DnsRecord, DnsReply, RecordType } from "./dns-types.ts";
import { type AnswerCredibility, judgeProbes, judgeSaying } from "./resolver-findings.ts";
import { PROBED_TYPES, type ProbeQuestion, probesOf, sayingOf } from "./resolver-probes.ts";

/** What a resolver gives for a type, whatever the name; null: it fails. */
type Uniform = {
  readonly rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL" | "REFUSED";
  readonly records: readonly { readonly type: "A" | "TXT" | "CNAME" | "asked"; readonly data: string }[];
  readonly soa: "none" | "root" | "name" | "parent";
} | null;

const TYPES: readonly RecordType[] = [...PROBED_TYPES, "PTR", "CAA", "SOA", "DS", "SRV", "CNAME"];
/** No resolver makes up reverse names alone, so they are not probed. */
const withoutNames = (said: Uniform): Uniform => said && { ...said, records: [] };
const uniform: fc.Arbitrary<Uniform> = fc.option(
  fc.record({
    rcode: fc.constantFrom("NOERROR", "NOERROR", "NXDOMAIN", "NXDOMAIN", "SERVFAIL", "REFUSED"),
    records: fc.array(
      fc.record({
        type: fc.constantFrom("A", "TXT", "CNAME", "asked"),
        data: fc.constantFrom("192.0.2.1", "portal.example"),
      }),
      { maxLength: 2 },
    ),
    soa: fc.constantFrom("none", "root", "name", "parent"),
  }),
  { freq: 10 },
);

/** A record as the decoder gives it: only name, type and data are read. */
const recordOf = (name: string, type: string, data: unknown): DnsRecord =>
  JSON.parse(JSON.stringify({ name, type, data, ttl: 60 }));

function answerOf({ name, type }: ProbeQuestion, said: Uniform) {
  if (said === null) return unavailable("dns", "timeout", "No answer");
  const parent = name.split(".").slice(1).join(".");
  const owner = { none: null, root: ".", name, parent: parent || "." }[said.soa];
  const reply: DnsReply = {
    rcode: said.rcode,
    authenticatedData: false,
    answers: said.records.map((one) => recordOf(name, one.type === "asked" ? type : one.type, one.data)),
    authorities: owner === null ? [] : [recordOf(owner, "SOA", {})],
    server: "127.0.0.1:53",
    elapsedMs: 1,
  };
  return answered(reply);
}

function verdictsOf(
  resolver: (asked: ProbeQuestion) => Uniform,
  questions: readonly ProbeQuestion[],
): readonly AnswerCredibility[] {
  const said = (asked: ProbeQuestion) => sayingOf(asked, answerOf(asked, resolver(asked)));
  const findings = judgeProbes(
    probesOf([], systemRandom).map((probe) => ({ probe, saying: said(probe) })),
    [],
  );
  return questions.map((asked) => judgeSaying(asked, said(asked), findings));
}

const questionsOf = (names: readonly string[]): readonly ProbeQuestion[] =>
  names.flatMap((name) => TYPES.map((type) => ({ name, type })));

describe("a resolver that gives every name the same answer, whatever that is for each type,", () => {
  test("never shows knowledge, and is believed nothing where it denies that com exists", () => {
    const perType = fc.record(
      Object.fromEntries(
        TYPES.map((type) => [type, type === "PTR" ? uniform.map(withoutNames) : uniform] as const),
      ),
    );
    fc.assert(
      fc.property(perType, fc.domain(), (said, name) => {
        const questions = questionsOf([name.toLowerCase(), "www.example.com", "a.b.c.d.example"]);
        const resolver = ({ type }: ProbeQuestion) => said[type] ?? null;
        const verdicts = verdictsOf(resolver, questions);
        expect(verdicts.map(({ state }) => state)).not.toContain("knowledge");
        const answersCom = sayingOf(
          { name: "com", type: "NS" },
          answerOf({ name: "com", type: "NS" }, resolver({ name: "com", type: "NS" })),
        );
        if (answersCom.state === "failed") return;
        for (const [i, asked] of questions.entries()) {
          const { state } = sayingOf(asked, answerOf(asked, resolver(asked)));
          if (state !== "failed") expect(verdicts[i]?.state).toMatch(/^(doubtful|forged)$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a resolver that knows com and no name that does not exist", () => {
  test("is believed whatever else it says", () => {
    fc.assert(
      fc.property(uniform, fc.constantFrom(...TYPES), fc.domain(), (said, type, name) => {
        const asked: ProbeQuestion = { name: name.toLowerCase(), type };
        const resolver = (one: ProbeQuestion): Uniform => {
          if (one.name === asked.name) return said;
          const isTop = one.name === "com" || one.name === "org";
          const records = isTop ? [{ type: "asked", data: "a.example" } as const] : [];
          return { rcode: isTop ? "NOERROR" : "NXDOMAIN", records, soa: isTop ? "none" : "root" };
        };
        expect(verdictsOf(resolver, [asked])[0]?.state).toMatch(/^(plain|knowledge)$/);
      }),
    );
  });
});
