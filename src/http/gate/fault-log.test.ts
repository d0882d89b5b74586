import { expect, test } from "vitest";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import { readIp } from "../../targets/ip.ts";
import { createFaultLog } from "./fault-log.ts";

const refused = (reason: string, msg: string): Refusal =>
  new Refusal("VALIDATION", {
    faults: [{ loc: ["query", "ip"], msg, type: "value_error", input: null, ctx: { reason } }],
  });

test("a proxy's faulty questions are told with their reason, each reason once a minute; other failures are not", () => {
  const told: string[] = [];
  let nowMs = 0;
  const note = createFaultLog(
    { warn: (what: object) => void told.push(JSON.stringify(what)) },
    { monotonicMs: () => nowMs },
  );
  const from = { tokenId: "t1", proxy: readIp("192.0.2.7") };
  for (let i = 0; i < 100; i++) {
    note(refused("proxy_untrusted", "192.0.2.7 is in none of them"), from);
    note(refused("address_missing", "Name the address"), from);
    note(new InvalidValue("a", "b"), from);
    note(new Refusal("RATE_LIMIT_EXCEEDED"), from);
  }
  const line = (detail: string) => JSON.stringify({ token_id: "t1", proxy: "192.0.2.7", detail });
  const first = [line("192.0.2.7 is in none of them"), line("Name the address")];
  expect(told).toEqual(first);
  nowMs = 60_000;
  note(refused("address_missing", "Name the address"), from);
  expect(told).toEqual([...first, line("Name the address")]);
});
