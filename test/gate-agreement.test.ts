import { afterAll, beforeAll, expect, test } from "vitest";
import { actionOf, askServer } from "./gate-client.ts";
import { type GateWorld, POLICIES, startGateWorld, VISITORS } from "./gate-world.ts";
import { isLong } from "./long-form.ts";
import { until } from "./service.ts";

const ADDRESSES = isLong ? 10_000 : 4000;
const BATCH = 100;

let world: GateWorld;
beforeAll(async () => {
  const file = { server: { trust_proxy: ["127.0.0.1/32"] }, gate: { per_second: 1_000_000 } };
  world = await startGateWorld({ file });
});
afterAll(() => world.close());

// The same on every run: a linear congruential generator (Numerical Recipes).
let state = 20_261_123;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** Half of them in and around what is listed. */
function anAddress(): string {
  const [a, b] = random(2) === 0 ? [45, 58 + random(6)] : [1 + random(223), random(256)];
  if (random(8) === 0) return `2a0a:45::${random(0x50).toString(16)}`;
  return `${a}.${b}.${random(256)}.${random(256)}`;
}

test("random addresses: the gate's action is the disposition of check-ip", async () => {
  const names = ["default", ...Object.keys(POLICIES)];
  const seen = new Map<string, number>();
  for (let done = 0; done < ADDRESSES; done += BATCH) {
    const policy = names[random(names.length)] ?? "";
    const ips = Array.from({ length: BATCH }, anAddress);
    const path = `/api/bulk/check-ip?view=verdict&policy=${policy}`;
    const looked = await world.service.call({ path, key: world.account.key, body: { ips } });
    const asked = await Promise.all(
      ips.map((ip) =>
        askServer({
          port: world.service.port,
          path: `/api/gate?policy=${policy}&ip=${ip}`,
          headers: { "x-api-key": world.token },
        }),
      ),
    );
    for (const [i, answer] of asked.entries()) {
      const { action, because } = Object(looked.of("data", "results", String(i), "result", "disposition"));
      const status = action === "block" ? 403 : 200;
      expect([ips[i], policy, actionOf(answer), answer.headers["x-repute-because"]]).toEqual([
        ips[i],
        policy,
        `${status} ${action}`,
        because.join(","),
      ]);
      seen.set(action, (seen.get(action) ?? 0) + 1);
    }
  }
  // All three came, each often enough to say something.
  for (const action of ["allow", "challenge", "block"]) expect(seen.get(action)).toBeGreaterThan(100);
});

test("an engine that owners switch off changes the gate's action with check-ip's, whatever was decided a moment before", async () => {
  const { service, account, token } = world;
  const ip = VISITORS.blocked;
  const headers = { "x-api-key": token };
  const atGate = async () =>
    actionOf(await askServer({ port: service.port, path: `/api/gate?policy=edge&ip=${ip}`, headers }));
  const byCheckIp = async () => {
    const path = "/api/check-ip?view=verdict&policy=edge";
    const answer = await service.call({ path, key: account.key, body: { ip } });
    return answer.of("data", "disposition", "action");
  };
  const switches = service.db.kysely.insertInto("engine_switches");
  expect([await atGate(), await byCheckIp()]).toEqual(["403 block", "block"]);
  await switches.values({ key: "own_c2", is_on: 0, at: 0, actor: "owner", reason: "" }).execute();
  await until(async () => (await byCheckIp()) === "allow");
  expect(await atGate()).toBe("200 allow");
});
