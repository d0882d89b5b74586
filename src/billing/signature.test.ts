import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSigned } from "./signature.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const AT_S = NOW.getTime() / 1000;
const SECRET = "whsec_test";
const BODY = Buffer.from('{"id":"evt_1"}');

const mac = (t: number | string, secret = SECRET, body = BODY) =>
  createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

describe("isSigned()", () => {
  test.each([
    [true, `t=${AT_S},v1=${mac(AT_S)}`, "right"],
    [
      true,
      `t=${AT_S},v1=${"0".repeat(64)},v1=${mac(AT_S)},v0=${"0".repeat(64)}`,
      "one of several, while a secret is rolled",
    ],
    [true, `t=${AT_S - 300},v1=${mac(AT_S - 300)}`, "five minutes old"],
    [true, `t=${AT_S + 300},v1=${mac(AT_S + 300)}`, "five minutes ahead"],
    [false, `t=${AT_S - 301},v1=${mac(AT_S - 301)}`, "older"],
    [false, `t=${AT_S + 301},v1=${mac(AT_S + 301)}`, "further ahead"],
    [false, `t=${AT_S},v1=${mac(AT_S, "whsec_other")}`, "another secret"],
    [false, `t=${AT_S},v1=${mac(AT_S, SECRET, Buffer.from('{"id":"evt_2"}'))}`, "another body"],
    [false, `t=${AT_S - 1},v1=${mac(AT_S)}`, "another time"],
    [false, `t=${AT_S},v0=${mac(AT_S)}`, "v0 alone"],
    [false, `t=${AT_S},v1=${mac(AT_S).slice(0, 40)}`, "cut"],
    [false, `t=${AT_S},v1=${mac(AT_S).toUpperCase()}`, "other spelling"],
    [false, `t=${AT_S},v1=`, "empty"],
    [false, `v1=${mac(AT_S)}`, "no time"],
    [false, `t=${AT_S},t=${AT_S},v1=${mac(AT_S)}`, "two times"],
    [false, `t=1e9,v1=${mac("1e9")}`, "no number"],
    [false, "", "nothing"],
    [false, "garbage,,=,t", "garbage"],
  ])("%s for %s (%s)", (isRight, header) => {
    expect(isSigned({ body: BODY, header }, { secret: SECRET, now: NOW })).toBe(isRight);
  });

  test("an empty secret never verifies", () => {
    const header = `t=${AT_S},v1=${mac(AT_S, "")}`;
    expect(isSigned({ body: BODY, header }, { secret: "", now: NOW })).toBe(false);
  });
});
