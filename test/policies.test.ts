import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GateWorld, startGateWorld, VISITORS } from "./gate-world.ts";

let world: GateWorld;
beforeAll(async () => {
  world = await startGateWorld();
});
afterAll(() => world.close());

const ask = (path: string, body: object) => world.service.call({ path, body, key: world.account.key });
const judged = async (ip: string, policy: string, view = "standard") =>
  (await ask(`/api/check-ip?policy=${policy}&view=${view}`, { ip })).of("data", "disposition");

describe("?policy= of a lookup", () => {
  test.each([
    [VISITORS.blocked, "edge", "block", ["own_c2"]],
    [VISITORS.blockedV6, "edge", "block", ["own_c2"]],
    [VISITORS.challenged, "edge", "challenge", ["own_attack"]],
    [VISITORS.challenged, "strict", "block", ["own_attack"]],
    [VISITORS.spam, "edge", "allow", []],
    [VISITORS.spam, "spam", "block", ["own_spam"]],
    [VISITORS.blocked, "spam", "allow", ["categories"]],
    [VISITORS.blocked, "two", "allow", ["families_min"]],
    [VISITORS.saved, "edge", "allow", ["allowlisted"]],
    [VISITORS.clean, "strict", "allow", []],
    ["10.1.2.3", "strict", "allow", ["not_applicable"]],
    [VISITORS.blocked, "default", "block", ["own_c2"]],
  ])("%s by %s: %s", async (ip, policy, action, because) => {
    expect(await judged(ip, policy)).toEqual({ policy, action, because });
  });

  test.each(["standard", "full", "compact", "verdict"])("is answered in the view %s", async (view) => {
    expect(await judged(VISITORS.blocked, "edge", view)).toMatchObject({ action: "block" });
    const plain = await ask(`/api/check-ip?view=${view}`, { ip: VISITORS.blocked });
    expect(plain.of("data")).not.toHaveProperty("disposition");
  });

  test("is answered for each item of a batch", async () => {
    const ips = [VISITORS.blocked, VISITORS.clean, "nonsense", VISITORS.challenged];
    const answer = await ask("/api/bulk/check-ip?policy=edge", { ips });
    expect(
      ips.map((_, i) => answer.of("data", "results", String(i), "result", "disposition", "action")),
    ).toEqual(["block", "allow", undefined, "challenge"]);
  });

  test.each([
    ["/api/domain-reputation", { domain: "example.com" }],
    ["/api/url-reputation", { url: "http://203.0.113.9/" }],
    ["/api/email-reputation", { email: "jane@example.com" }],
  ])("POST %s has one too", async (path, body) => {
    const answer = await ask(`${path}?policy=edge`, body);
    expect([answer.status, answer.of("data", "disposition", "policy")]).toEqual([200, "edge"]);
  });

  test.each([
    ["/api/check-ip?policy=nope", 'Unknown policy "nope": known are default, edge, strict, spam, two'],
    ["/api/check-ip?policy=", 'Unknown policy "": known are default'],
    ["/api/check-ip?policy=edge&policy=two", "Name one policy alone: known are default"],
    ["/api/check-ip?policy=__proto__", 'Unknown policy "__proto__"'],
    ["/api/bulk/check-ip?policy=nope", 'Unknown policy "nope"'],
    ["/api/dns-lookup?policy=edge", "A policy judges a score, and dns-lookup has none"],
    ["/api/whois-lookup?policy=edge", "A policy judges a score, and whois-lookup has none"],
  ])("POST %s is a 422 that names it, and costs nothing", async (path, says) => {
    const before = await world.service.balanceOf(world.account);
    const answer = await ask(path, {
      ip: "8.8.8.8",
      ips: ["8.8.8.8"],
      domain: "example.com",
      query: "example.com",
    });
    expect([answer.status, answer.of("detail", "0", "loc")]).toEqual([422, ["query", "policy"]]);
    expect(String(answer.of("detail", "0", "msg"))).toContain(says);
    expect(await world.service.balanceOf(world.account)).toBe(before);
  });
});

test.each(["check-ip", "domain-check", "email-check", "dns-lookup", "whois-lookup"])(
  "?policy= of the free tool %s is refused, and strangers learn of no policy",
  async (tool) => {
    for (const policy of ["edge", "nope", ""]) {
      const body = {
        ip: VISITORS.blocked,
        domain: "example.com",
        email: "a@example.com",
        query: "example.com",
      };
      const answer = await world.service.call({ path: `/api/free/${tool}?policy=${policy}`, body });
      expect(answer.status).toBe(422);
      expect(answer.of("detail", "0")).toMatchObject({
        ...{ loc: ["query", "policy"], ctx: { reason: "no_score" } },
        msg: "A policy judges a score, and a free tool's answer has none",
      });
    }
  },
);
