import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createRunner } from "./cli-runner.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";

afterEach(endServiceProcesses);

const NEEDS = "dashboard.signup: open needs mail.smtp_url";

test("open sign-up without a mail server does not start, and `repute config` says so", async () => {
  const { env, dataDir } = await createServicePlace(null);
  const file = join(dataDir, "open.yaml");
  writeFileSync(file, "dashboard: { signup: open }\n");
  const open = { ...env, REPUTE_CONFIG: file };
  const service = startServiceProcess(open);
  await expect(service.listening).rejects.toThrow(NEEDS);
  const { status, out, error } = await service.ended;
  expect([status, out]).toEqual([1, ""]);
  expect(error).toMatch(/^[^\n]+\n$/);
  const { repute } = createRunner(dataDir, open);
  const shown = await repute(["config"]);
  expect(shown.status).toBe(0);
  expect(shown.error).toContain(`warning: ${NEEDS}`);
  expect(shown.error).toContain("`repute serve` will not start");
  // Whatever does not serve goes on.
  expect((await repute(["account", "list", "--json"])).out.trim()).toBe("[]");
  writeFileSync(file, "dashboard: { signup: open }\nmail: { smtp_url: 'smtp://127.0.0.1:1' }\n");
  expect((await repute(["config"])).error).not.toContain(NEEDS);
  await startServiceProcess({ ...open, PORT: "0" }).listening;
});
