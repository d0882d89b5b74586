import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import type { PagesVisited } from "./pages-in-child.ts";

const CHILD = fileURLToPath(new URL("./pages-in-child.ts", import.meta.url));
const PAGE_BYTES = 5_242_880;
/** Words of a letter, which cost most to fold; a tag in each line; references, each a piece of text of its own. */
const TEXTS = { words: "a ", tags: "<p a=b>é</p>\n", references: "&lt;&gt;" } as const;

/** The page to its last octet but one, that one a little later: slow, so that as many as may are there at once. */
async function sendSlowly(response: ServerResponse, text: string): Promise<void> {
  const page = Buffer.alloc(PAGE_BYTES, text);
  response.on("error", () => response.destroy());
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.write(page.subarray(0, PAGE_BYTES - 1));
  await systemClock.sleep(1500);
  response.end(page.subarray(PAGE_BYTES - 1));
}

async function serve(text: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/small") response.end("<p>small");
    else void sendSlowly(response, text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}

async function visit(text: string, accounts: number, visits: number): Promise<PagesVisited> {
  const url = await serve(text);
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, url, `${accounts}`, `${visits}`]);
  return JSON.parse(stdout);
}

/** Those who wait for memory wait within their own time. */
const ENDS = new Set(["ok", "timeout", "unread"]);

/** Security P4. */
test.runIf(existsSync("/proc/self/status")).each([
  ["six of an account", TEXTS.words, 1, 6, 400],
  ["six of an account", TEXTS.tags, 1, 6, 400],
  ["six of an account", TEXTS.references, 1, 6, 400],
  ["160 of twenty accounts", TEXTS.words, 20, 8, 500],
])(
  "pages of 5 MB at once, %s (%j, %d × %d), take less than %d MB more",
  async (_, text, accounts, visits, mostMb) => {
    const { grownMb, outcomes } = await visit(text, accounts, visits);
    expect(grownMb).toBeLessThan(mostMb);
    expect(outcomes.filter((outcome) => !ENDS.has(outcome))).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === "ok").length).toBeGreaterThan(0);
  },
);
