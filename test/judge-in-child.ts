import { existsSync, readFileSync } from "node:fs";
import { systemClock } from "../src/base/clock.ts";
import type { FeedDefinition } from "../src/feeds/feed.ts";
import { judge } from "../src/feeds/retrieval/validate-content.ts";
import { NO_PREVIOUS } from "../src/feeds/state.ts";

/** Judges one file as the service's child does, in a process of its own, and says what that took at most. */
const STATUS = "/proc/self/status";
const [path = "", keptDir = ""] = process.argv.slice(2);

const feed: FeedDefinition = {
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "file", path },
  seed: null,
  format: "plain",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
};
const candidate = { key: feed.key, path, isHtmlType: false, previous: NO_PREVIOUS };
const verdict = await judge(feed, candidate, { keptDir, now: systemClock.now() });
process.stdout.write(JSON.stringify({ verdict, residentMb: Math.round(peakKilobytes() / 1000) }));

/** The kernel's own word where there is one: `maxRSS` begins with what the parent had. */
function peakKilobytes(): number {
  const own = existsSync(STATUS) ? /^VmHWM:\s+(\d+)/m.exec(readFileSync(STATUS, "utf8"))?.[1] : undefined;
  return own === undefined ? process.resourceUsage().maxRSS : Number(own);
}
