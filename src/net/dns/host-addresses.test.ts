import { describe, expect, test } from "vitest";
import { a, aaaa, cname, createDialing, resolved, target, zone } from "../../../test/servers/dialing.ts";

describe("Dialer.resolve()", () => {
  test.each([
    ["NXDOMAIN", { rcode: 3 }, { state: "no_address" }],
    ["an empty answer", {}, { state: "no_address" }],
    [
      "SERVFAIL",
      { rcode: 2 },
      {
        state: "failed",
        reason: "error",
        detail: "The resolver could not find an answer, or not one that validates",
      },
    ],
    [
      "REFUSED",
      { rcode: 5 },
      { state: "failed", reason: "error", detail: "The resolver refused the question" },
    ],
  ])("tells %s apart", async (_, reply, outcome) => {
    const dialing = await createDialing({ script: () => reply });
    expect(await resolved(dialing, target("www.example.com", 80))).toEqual(outcome);
  });

  test("does not call a name without address what one family only says", async () => {
    const script = ({ type }: { type: string }) => (type === "A" ? {} : { rcode: 2 });
    const dialing = await createDialing({ script });
    expect(await resolved(dialing, target("www.example.com", 80))).toMatchObject({ state: "failed" });
  });

  test("takes what one family gave when the other fails", async () => {
    const script = ({ type }: { type: string }) =>
      type === "A" ? { answers: [a("127.0.0.1")] } : { rcode: 2 };
    const dialing = await createDialing({ script });
    expect(await resolved(dialing, target("www.example.com", 80))).toEqual({
      state: "addresses",
      addresses: ["127.0.0.1"],
      silent: ["v6"],
    });
  });

  test("gives every address, judged, with those of a name that is blocked", async () => {
    const dialing = await createDialing({
      script: zone({
        "www.example.com": [a("127.0.0.1"), a("10.0.0.1"), a("127.0.0.1"), aaaa("2001:db8::1")],
      }),
    });
    expect(await resolved(dialing, target("www.example.com", 80))).toEqual({
      state: "blocked",
      reason: "private_address",
      addresses: ["127.0.0.1", "10.0.0.1", "2001:db8::1"],
      silent: [],
    });
  });

  test("follows CNAMEs within an answer and over several", async () => {
    const dialing = await createDialing({
      script: ({ name, type }) => {
        if (name.toLowerCase() === "c.example") return { answers: type === "A" ? [a("127.0.0.1")] : [] };
        return { answers: [cname("b.example"), { ...cname("c.example"), name: "b.example" }] };
      },
    });
    expect(await resolved(dialing, target("a.example", 80))).toMatchObject({ addresses: ["127.0.0.1"] });
  });

  test.each([
    ["a loop", ({ name }: { name: string }) => (/^a/i.test(name) ? "b.example" : "a.example")],
    ["an endless chain", ({ name }: { name: string }) => `x${name.length}.${name}`.slice(-200)],
  ])("ends %s of CNAMEs", async (_, next) => {
    const dialing = await createDialing({ script: (question) => ({ answers: [cname(next(question))] }) });
    expect(await resolved(dialing, target("a.example", 80))).toMatchObject({
      state: "failed",
      detail: expect.stringMatching(
        /^(More than 16 CNAME records in a row|The CNAME records lead in a circle)$/,
      ),
    });
    expect(dialing.dns.questions.length).toBeLessThanOrEqual(34);
  });

  test("ignores addresses of other names in the answer", async () => {
    const dialing = await createDialing({
      script: () => ({ answers: [{ ...a("127.0.0.1"), name: "other.example" }] }),
    });
    expect(await resolved(dialing, target("a.example", 80))).toEqual({
      state: "failed",
      reason: "error",
      detail: "The resolver's answer is about another name",
    });
  });

  test("a referral is not an answer", async () => {
    const authorities = [{ type: "NS" as const, name: "example", data: "ns.example" }];
    const dialing = await createDialing({ script: () => ({ authorities }) });
    expect(await resolved(dialing, target("a.example", 80))).toMatchObject({
      state: "failed",
      reason: "error",
    });
  });

  test.each([
    "",
    "a b",
    "a..b",
    "user@host",
    "a/b",
    "host:80",
    "1.2.3.4.5",
    "1.2.3.999",
    "%31.2.3.4",
    "a\tb.c",
  ])("asks no server about %j", async (host) => {
    const dialing = await createDialing();
    expect(await resolved(dialing, target(host, 80))).toMatchObject({ state: "failed", reason: "error" });
    expect(dialing.dns.questions).toEqual([]);
  });
});
