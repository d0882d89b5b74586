import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { database } from "./mmdb-file.ts";
import { callPatiently, startTestService, type TestService } from "./service.ts";

// An operator's database of countries alone, as MaxMind and IPinfo give them away.

let folder = "";
let service: TestService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-countries-"));
  const path = join(folder, "countries.mmdb");
  const record = { country: { iso_code: "FR" }, continent: { code: "EU" } };
  writeFileSync(path, database(32, [{ network: "45.45.0.0/16", record }]));
  service = await startTestService({ file: { engines: { builtin: false }, geo: { database: path } } });
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

const reportOf = async (ip: string, path: string, key?: string) =>
  (await callPatiently(service, { path, body: { ip }, ...(key && { key }) }, [429, 503])).of("data");

test("the coordinates of an address in such a country are unknown, and nowhere in the sea", async () => {
  const { key } = await service.openAccount();
  expect(await reportOf("45.45.1.1", "/api/check-ip", key)).toMatchObject({
    information: { country_code: "FR", geo_accuracy: "country" },
    unknown_fields: expect.arrayContaining(["information.latitude", "information.longitude"]),
  });
  expect(await reportOf("45.45.1.1", "/api/free/check-ip")).toMatchObject({
    ...{ country_code: "FR", latitude: null, longitude: null },
    unknown_fields: expect.arrayContaining(["latitude", "longitude"]),
  });
  expect(await reportOf("8.8.8.8", "/api/free/check-ip")).toMatchObject({
    ...{ latitude: expect.any(Number), longitude: expect.any(Number) },
    unknown_fields: expect.not.arrayContaining(["latitude"]),
  });
});
