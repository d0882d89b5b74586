import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TokenScope } from "../src/accounts/token-scopes.ts";
import { systemClock } from "../src/base/clock.ts";
import { exportFiles, exportsDirOf } from "../src/exports/state.ts";
import { publishListed } from "./bouncers/model.ts";
import { type Ground, openAccounts } from "./ground.ts";
import type { OwnService } from "./services.ts";

const FIRST = 0x2d000000;

/** A running service whose export `edge` holds so many single addresses. */
export type ListedService = {
  readonly service: OwnService;
  /** Of an account of its own. */
  readonly createToken: (scope: TokenScope) => Promise<string>;
};

/** Starts it; its own build finds that nothing is listed, and looks again in an hour. */
export async function startListed(ground: Ground, count: number): Promise<ListedService> {
  const service = await ground.service({
    file: { engines: { builtin: false }, exports: [{ name: "edge" }] },
  });
  await service.start();
  const dir = exportsDirOf(service.dataDir);
  while (!existsSync(join(dir, "built.json"))) await systemClock.sleep(50);
  // Every third address, so that no two become one network.
  const v4 = new Map(Array.from({ length: count }, (_, i) => [FIRST + 3 * i, 32] as const));
  const now = systemClock.now();
  const generation = Math.floor(now.getTime() / 1000);
  await publishListed(exportFiles(join(dir, "edge")), { v4, v6: new Set() }, { generation, now });
  const { accounts } = await ground.open(join(service.dataDir, "repute.db"));
  return {
    service,
    createToken: async (scope) => {
      const [owner] = await openAccounts(accounts, 1);
      return (await accounts.createToken({ email: owner?.email ?? "", scopes: [scope] })).text;
    },
  };
}

/** The octets of an answer, thrown away as they come: this process's memory is not what is measured. 0: no 200. */
export async function sizeOfAnswer(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, body } = await fetch(url, { headers: { ...headers, "accept-encoding": "identity" } });
  if (status !== 200 || body === null) return 0;
  let size = 0;
  for await (const piece of body) size += piece.byteLength;
  return size;
}
