import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PROGRAM, programEnvironment } from "./cli-runner.ts";
import { linesOf } from "./consumer-lines.ts";
import { missing } from "./consumers.ts";
import { freePort } from "./servers/free-port.ts";
import { startTestService, type TestService } from "./service.ts";

// docs/first-block.md, step by step as it stands there, but for the ports and the folder.

const folder = mkdtempSync(join(tmpdir(), "repute-first-block-"));
let service: TestService;
let trial = 0;
beforeAll(async () => {
  await sh(linesOf("first-block-config"));
  const file = Object(parse(readFileSync(join(folder, "first-block/repute.yaml"), "utf8")));
  service = await startTestService({ file, bootstrap: true });
  trial = await freePort();
  await sh(pasted("first-block-token"));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The token is a variable of the reader's terminal; where configuration and data are, this test says. */
const pasted = (mark: string): string =>
  `token=$(node -p 'try { JSON.parse(require("fs").readFileSync("first-block/token.json", "utf8")).token } catch { "" }')\n${linesOf(
    mark,
  )
    .replace(/^export .*$/m, "")
    .trim()}`
    .replaceAll("http://127.0.0.1:8080", service.address)
    .replaceAll("127.0.0.1:8099", `127.0.0.1:${trial}`)
    .replaceAll("npm run -s repute --", `"${process.execPath}" "${PROGRAM}"`);

function sh(script: string): Promise<string> {
  const place =
    service === undefined
      ? {}
      : { REPUTE_DATA_DIR: service.dataDir, REPUTE_CONFIG: join(service.dataDir, "repute-test.yaml") };
  const options = { cwd: folder, env: { ...programEnvironment(), ...place } };
  return new Promise((resolve, reject) => {
    execFile("sh", ["-ec", script], options, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
}

describe("the first block by the docs alone:", () => {
  test("the gate blocks the listed address, by the list", async () => {
    const answer = await sh(pasted("first-block-ask"));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain("\r\nX-Repute-Action: block\r\n");
    expect(answer).toContain("\r\nX-Repute-Because: my_list\r\n");
  });

  test("the export holds what the gate blocks", async () => {
    expect(await sh(pasted("first-block-export"))).toBe("deny 198.51.100.7;\n");
  });

  test.skipIf(missing("nginx").length > 0)(
    "nginx turns it away and lets others in (else skipped)",
    async () => {
      // A daemon keeps what it was started with open.
      await sh(`${pasted("first-block-nginx")} >/dev/null 2>&1`);
      try {
        expect(await sh(pasted("first-block-see"))).toBe("403\n200\n");
      } finally {
        await sh(pasted("first-block-end"));
      }
      expect(existsSync(join(folder, "first-block"))).toBe(false);
    },
  );
});
