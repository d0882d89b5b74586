import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChance } from "../bench/statistics.ts";
import { change, type Listed, publishListed, whole } from "../chaos/bouncers/model.ts";
import { systemClock } from "../src/base/clock.ts";
import { exportFiles, exportsDirOf } from "../src/exports/state.ts";
import { forEachDatabase } from "./databases.ts";
import { startTestService, type TestService, until } from "./service.ts";

const FILE = { engines: { builtin: false }, exports: [{ name: "edge" }] };
const LIFE_MS = 4000;

const stream = (service: TestService, token: string, query = ""): Promise<Response> =>
  fetch(`${service.address}/lapi/v1/decisions/stream${query}`, {
    headers: { "x-api-key": token, "user-agent": "databases/1" },
  });

/** Puts another generation in force, and waits until it is served. */
async function publishNext(service: TestService, listed: Listed, generation: number): Promise<void> {
  const dir = exportsDirOf(service.dataDir);
  // Its own build finds that nothing is listed, and looks again in an hour.
  await until(() => existsSync(join(dir, "built.json")));
  await publishListed(exportFiles(join(dir, "edge")), listed, { generation, now: systemClock.now() });
  await systemClock.sleep(1100); // a state that was read is good for a second
}

/** Asks until it is refused; what a bouncer holds is the same at the end. */
async function refusedAtLast(service: TestService, token: string, held: Set<string>): Promise<Response> {
  const before = new Set(held);
  for (;;) {
    const answer = await stream(service, token);
    if (answer.status !== 200) {
      expect(held).toEqual(before);
      return answer;
    }
    apply(held, await answer.text());
    await systemClock.sleep(50);
  }
}

/** As CrowdSec's bouncers do. */
function apply(held: Set<string>, text: string): void {
  for (const { value } of JSON.parse(text).deleted) held.delete(value);
  for (const { value } of JSON.parse(text).new) held.add(value);
}

forEachDatabase((dialect, database) => {
  test("everything, then what changed; a token that is revoked or over is a 403 that takes nothing away", async () => {
    const service = await startTestService({
      file: FILE,
      ...(dialect === "postgres" ? { databaseUrl: database.url() } : {}),
    });
    try {
      const { email } = await service.openAccount();
      const create = (expiresAt: Date | null) =>
        service.accounts.createToken({ email, scopes: ["decisions"], expiresAt });
      const random = createChance(27);
      const first = change({ v4: new Map(), v6: new Set() }, random);
      const second = change(first, random);
      const generation = Math.floor(systemClock.now().getTime() / 1000);
      const held = new Set<string>();
      const { text, token } = await create(null);

      await publishNext(service, first, generation);
      apply(held, await (await stream(service, text, "?startup=true")).text());
      expect(held).toEqual(whole(first));
      await publishNext(service, second, generation + 1);
      const delta = await (await stream(service, text)).text();
      expect(JSON.parse(delta).deleted.length).toBeGreaterThan(0);
      apply(held, delta);
      expect(held).toEqual(whole(second));

      await service.accounts.revokeToken(token.id);
      const brief = await create(new Date(systemClock.now().getTime() + LIFE_MS));
      for (const one of [text, brief.text]) {
        const refused = await refusedAtLast(service, one, held);
        expect([refused.status, refused.headers.get("content-type")]).toEqual([
          403,
          "application/json; charset=utf-8",
        ]);
        expect(await refused.json()).toEqual({ message: "Unknown, expired or revoked access token" });
      }

      // With another token it is another bouncer, which is told everything.
      const renewed = new Set<string>();
      apply(renewed, await (await stream(service, (await create(null)).text)).text());
      expect(renewed).toEqual(whole(second));
    } finally {
      await service.close();
    }
  });

  test("a file once, then only that nothing changed, until the token is revoked; a new file when it did", async () => {
    const service = await startTestService({
      file: FILE,
      ...(dialect === "postgres" ? { databaseUrl: database.url() } : {}),
    });
    try {
      const { email } = await service.openAccount();
      const { text, token } = await service.accounts.createToken({ email, scopes: ["exports:edge"] });
      const get = (more: Readonly<Record<string, string>>) =>
        fetch(`${service.address}/api/exports/edge.csv`, { headers: { "x-api-key": text, ...more } });
      const random = createChance(28);
      const first = change({ v4: new Map(), v6: new Set() }, random);
      const generation = Math.floor(systemClock.now().getTime() / 1000);
      await publishNext(service, first, generation);

      // The very first question is about a token that no call named before.
      expect((await get({ "if-none-match": "*" })).status).toBe(304);
      const whole = await get({});
      expect([whole.status, whole.headers.get("x-export-generation")]).toEqual([200, String(generation)]);
      await whole.arrayBuffer();
      const etag = whole.headers.get("etag") ?? "";
      expect((await get({ "if-none-match": etag })).status).toBe(304);
      await publishNext(service, change(first, random), generation + 1);
      const newer = await get({ "if-none-match": etag });
      await newer.arrayBuffer();
      // Too soon for a second file, and yet no word that nothing changed.
      expect([200, 429]).toContain(newer.status);

      await service.accounts.revokeToken(token.id);
      await until(async () => (await get({ "if-none-match": "*" })).status !== 304);
      expect((await get({ "if-none-match": "*" })).status).toBe(401);
    } finally {
      await service.close();
    }
  });
});
