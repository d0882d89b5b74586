import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../chaos/linux.ts";
import { systemClock } from "../src/base/clock.ts";
import { askServer } from "./gate-client.ts";
import { type GateWorld, startGateWorld, VISITORS } from "./gate-world.ts";
import { startTestService } from "./service.ts";

let world: GateWorld;
beforeAll(async () => {
  world = await startGateWorld({
    file: { server: { trust_proxy: ["127.0.0.1/32"] }, gate: { per_second: 20 } },
  });
});
afterAll(() => world.close());

const ask = (token: string, port = world.service.port) =>
  askServer({ port, path: `/api/gate?ip=${VISITORS.blocked}`, headers: { "x-api-key": token } });

test("a token has so many questions a second, and another one its own", async () => {
  const beganMs = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(world.token)));
  const refused = answers.filter(({ status }) => status === 429);
  // On a machine that needs longer than a second for all of them, those of each second count.
  const seconds = Math.ceil((performance.now() - beganMs) / 1000);
  expect(answers.length - refused.length).toBeLessThanOrEqual(20 * seconds);
  expect(refused.length).toBeGreaterThan(0);
  const told = refused.map(({ headers }) => Number(headers["retry-after"]));
  // A second, or the next one where the tenth of a second that is under way ends in it.
  for (const retryAfter of told) expect([1, 2]).toContain(retryAfter);
  expect(refused[0]?.headers).toMatchObject({ "x-ratelimit-scope": "requests" });
  const { text } = await world.service.accounts.createToken({ email: world.account.email, scopes: ["gate"] });
  expect((await ask(text)).status).toBe(403);
  await systemClock.sleep(1000 * Math.max(...told));
  expect((await ask(world.token)).status).toBe(403);
});

test("an index that is not ready is a 503, never an answer", async () => {
  // A list that stands nowhere, and no other: the index is made in a child while the service listens.
  const service = await startTestService({
    file: { engines: { builtin: false }, server: { trust_proxy: ["127.0.0.1/32"] } },
  });
  const account = await service.openAccount();
  const { text } = await service.accounts.createToken({ email: account.email, scopes: ["gate"] });
  const seen = new Set<number>();
  for (let i = 0; i < 600 && !seen.has(200); i++) {
    const answer = await ask(text, service.port);
    seen.add(answer.status);
    if (answer.status === 503) expect(answer.headers["retry-after"]).toBe("2");
    await systemClock.sleep(100);
  }
  // Without any engine nothing is known of an address, which the default policy allows.
  expect([...seen]).toEqual([503, 200]);
  await service.close();
});

test("questions are counted by status, under the name of the gate", async () => {
  const port = await freePort();
  const counted = await startGateWorld({
    file: { server: { trust_proxy: ["127.0.0.1/32"] }, metrics: { listen: `127.0.0.1:${port}` } },
  });
  for (let i = 0; i < 3; i++) await ask(counted.token, counted.service.port);
  await ask("none", counted.service.port);
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(page).toMatch(/^repute_\w+\{endpoint="gate",status="403"\} 3$/m);
  expect(page).toMatch(/^repute_\w+\{endpoint="gate",status="401"\} 1$/m);
  expect(page).not.toContain(counted.token.slice(12));
  await counted.close();
});
