import { expect, test } from "vitest";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import { unknownPolicy } from "../../metering/disposition.ts";
import { readIp } from "../../targets/ip.ts";
import { createFaultLog } from "./fault-log.ts";
import { readQuestion } from "./question.ts";

const PROXY = readIp("192.0.2.7");
const RULES = { policies: new Map(), isTrustedProxy: () => true };

/** What the gate says of a question. */
function refusalOf(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  throw new Error("It was no fault");
}

/** A log of what is told, and a clock to move. */
function createWorld() {
  const told: string[] = [];
  let nowMs = 0;
  const note = createFaultLog(
    { warn: (what: object) => void told.push(JSON.stringify(what)) },
    { monotonicMs: () => nowMs },
  );
  return { told, note, pass: (ms: number) => (nowMs += ms) };
}

const fault = (reason: string): Refusal =>
  new Refusal("VALIDATION", {
    faults: [{ loc: ["query", "ip"], msg: "secret", type: "value_error", input: "secret", ctx: { reason } }],
  });

test("a proxy's faulty questions are told, each token and reason once a minute; other failures are not", () => {
  const { told, note, pass } = createWorld();
  for (let i = 0; i < 100; i++) {
    for (const tokenId of ["t1", "t2"]) note(fault("proxy_untrusted"), { tokenId, proxy: PROXY });
    note(fault("address_missing"), { tokenId: "t1", proxy: PROXY });
    note(new InvalidValue("a", "b"), { tokenId: "t1", proxy: PROXY });
    note(new Refusal("RATE_LIMIT_EXCEEDED"), { tokenId: "t1", proxy: PROXY });
  }
  const line = (tokenId: string, detail: string) =>
    JSON.stringify({ token_id: tokenId, proxy: "192.0.2.7", detail });
  const untrusted = "server.trust_proxy does not name this proxy";
  const missing = line("t1", "The question names no address: ?ip=, X-Real-IP or X-Forwarded-For");
  expect(told).toEqual([line("t1", untrusted), line("t2", untrusted), missing]);
  pass(60_000);
  note(fault("address_missing"), { tokenId: "t1", proxy: PROXY });
  expect(told).toHaveLength(4);
});

test.each([
  ["?ip=hunter2", {}],
  ["?policy=hunter2", {}],
  ["?hunter2=1", {}],
  ["", { "x-real-ip": "hunter2" }],
  ["", { "x-forwarded-for": "hunter2" }],
])("nothing of a question stands in the log: %s %j", (query, headers) => {
  const { told, note } = createWorld();
  const rules = { ...RULES, policies: new Map([["default", Object({ name: "default" })]]) };
  note(
    refusalOf(() => readQuestion({ url: `/api/gate${query}`, headers, peer: PROXY }, rules)),
    { tokenId: "t1", proxy: PROXY },
  );
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/"detail":"\w+ .*"/);
  expect(told[0]).not.toContain("hunter2");
});

test("an unknown policy has words of its own", () => {
  expect(unknownPolicy(new Map(), "x").ctx).toMatchObject({ reason: "unknown_policy" });
});
