import { startDnsServer, type TestBehaviour, type TestQuestion } from "../../test/servers/dns-server.ts";
import { onInternet } from "../../test/servers/resolvers.ts";

/* The resolver of the service, which knows silent and slow zones: a process of its own. */

/** Just within the time of a question. */
const SLOW_MS = 1900;

/** `silent….com` never answers, `slow….com` late; the machine of `h3.page….com` is 127.0.3.1, all others are one. */
function answer({ name, type }: TestQuestion): TestBehaviour {
  const lower = name.toLowerCase();
  if (/(^|\.)silent\d+\.com$/.test(lower)) return "silence";
  if (type !== "A") return lower.endsWith(".arpa") ? { rcode: 3 } : {};
  const machine = /^h(\d+)\.page\d+\.com$/.exec(lower)?.[1];
  const data = machine === undefined ? "127.0.0.1" : `127.0.${Number(machine) % 250}.1`;
  const answers = [{ type: "A", data }];
  return /(^|\.)slow\d+\.com$/.test(lower) ? { answers, delayMs: SLOW_MS } : { answers };
}

const { address } = await startDnsServer(onInternet(answer));
process.on("disconnect", () => process.exit());
process.send?.({ dns: address });
