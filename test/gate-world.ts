import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  startTestService,
  type TestAccount,
  type TestService,
  type TestServiceOptions,
  until,
} from "./service.ts";

/** Addresses by what their lists make of them, under the policies of `POLICIES`. */
export const VISITORS = {
  /** 90: on a list of c2. */
  blocked: "45.45.45.45",
  blockedV6: "2a0a:45::45",
  /** 60: on a list of attacks, of high confidence. */
  challenged: "45.45.46.7",
  /** On the same two lists, and allowed. */
  saved: "45.45.45.77",
  clean: "45.99.0.1",
  /** 45: spam. */
  spam: "45.45.47.9",
} as const;

export const POLICIES = {
  edge: { block_at: 75, challenge_at: 50 },
  strict: { block_at: 40, on_unknown: "block" },
  spam: { block_at: 40, categories: ["spam"] },
  two: { block_at: 50, families_min: 2 },
};

const LISTS = [
  {
    key: "own_c2",
    category: "c2",
    text: [VISITORS.blocked, VISITORS.blockedV6, VISITORS.saved, "45.60.0.0/16"],
  },
  { key: "own_attack", category: "attack", text: ["45.45.46.0/24", "45.61.0.0/16"] },
  { key: "own_spam", category: "spam", text: [VISITORS.spam, "45.60.128.0/17", "45.62.0.0/16"] },
];

export type GateWorld = {
  readonly service: TestService;
  readonly account: TestAccount;
  /** Of scope `gate`. */
  readonly token: string;
  /** The sections of its configuration that lists and policies are of. */
  readonly sections: object;
  readonly close: () => Promise<void>;
};

/** A service over a few own lists, with policies and a token for its gate. */
export async function startGateWorld(options: TestServiceOptions = {}): Promise<GateWorld> {
  const folder = mkdtempSync(join(tmpdir(), "repute-gate-"));
  const urlOf = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return pathToFileURL(path).href;
  };
  const common = { target: "ip", format: "netset", confidence: "high" };
  const allowed = urlOf("allowed", [VISITORS.saved, "45.60.7.0/24"]);
  const sections = {
    engines: {
      builtin: false,
      feeds: LISTS.map(({ key, category, text }) => ({ ...common, key, category, url: urlOf(key, text) })),
    },
    allowlists: [{ key: "own_allowed", url: allowed, format: "netset", target: "ip" }],
    policies: POLICIES,
  };
  const service = await startTestService({ ...options, file: { ...sections, ...options.file } });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  const account = await service.openAccount({ credits: 1_000_000 });
  const { text } = await service.accounts.createToken({ email: account.email, scopes: ["gate"] });
  return {
    service,
    account,
    token: text,
    sections,
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
