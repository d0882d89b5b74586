import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, test } from "vitest";
import { createDaemons, untilAnswers, untilStatus } from "./consumer-daemons.ts";
import { missing, writeBodyFile } from "./consumers.ts";
import { isName, openHardNames } from "./hard-names.ts";
import { freePort } from "./servers/free-port.ts";
import { until } from "./service.ts";

// Names that are hard on readers of lists, for programs that look texts up: by the name alone, but where a rule says more.

const { world, questions, valuesOf, isBlocked } = await openHardNames();
const daemons = createDaemons();
afterEach(daemons.stop);
afterAll(world.close);

const folder = (name: string): string => {
  const path = join(world.dir, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const isListed = (name: string): boolean => valuesOf().includes(name);

/** Names of which a program says something else than it should. */
async function wrongOf(
  should: (name: string) => boolean,
  does: (name: string) => boolean | Promise<boolean>,
  names: readonly string[] = questions,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const name of names) if ((await does(name)) !== should(name)) wrong.push(name);
  return wrong;
}

test.skipIf(missing("haproxy").length > 0)(
  "HAProxy finds each listed host in a list and in a map, and no other (else skipped)",
  async () => {
    const [dir, port] = [folder("haproxy"), await freePort()];
    const list = writeBodyFile(world, "names.txt");
    const map = join(dir, "names.map");
    writeFileSync(
      map,
      valuesOf()
        .map((name, i) => `${name} at-${i}\n`)
        .join(""),
    );
    writeFileSync(
      join(dir, "haproxy.cfg"),
      `defaults\n  mode http\n  timeout connect 1s\n  timeout client 9s\n  timeout server 9s
frontend web\n  bind 127.0.0.1:${port}\n  acl listed req.hdr(host),field(1,:),lower -f ${list}
  http-request return status 451 hdr X-At %[req.hdr(host),lower,map(${map},none)] if listed\n  http-request return status 200\n`,
    );
    const { said } = daemons.start("haproxy", ["-db", "-f", join(dir, "haproxy.cfg")]);
    await untilStatus([`http://127.0.0.1:${port}/`], said);
    const places = new Map(valuesOf().map((name, i) => [name, `at-${i}`]));
    const answers = new Map<string, string>();
    for (const name of questions) answers.set(name, await headOf(port, name));
    expect(await wrongOf(isListed, (name) => answers.get(name)?.startsWith("HTTP/1.1 451") === true)).toEqual(
      [],
    );
    for (const [name, place] of places)
      expect(answers.get(name)).toMatch(new RegExp(`x-at: ${place}\r`, "i"));
    expect(said()).not.toMatch(/warning|error/i);
  },
);

/** The head of what is answered to a host: clients that know addresses and names would not send some of them. */
function headOf(port: number, host: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET / HTTP/1.1\r\nHost: ${host.toUpperCase()}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.skipIf(missing("rspamd", "rbldnsd", "dig").length > 0)(
  "rspamd finds each listed name in a map, and with all below it in a zone of rbldnsd, and no other (else skipped)",
  async () => {
    const [dir, port, dns] = [folder("rspamd"), await freePort(), await freePort()];
    const zone = `z:dnset:${writeBodyFile(world, "names.rbldom")}`;
    const { said: zoneSaid } = daemons.start("rbldnsd", [
      ...["-n", "-b", `127.0.0.1/${dns}`, "-w", dir, "-u", "nobody", zone],
    ]);
    await untilAnswers(dns, "include.com.z", zoneSaid);
    // The real table of suffixes takes minutes to compile.
    writeFileSync(join(dir, "tlds"), "com\n");
    writeFileSync(
      join(dir, "rspamd.conf"),
      `options { pidfile = "${dir}/pid"; filters = ""; tempdir = "${dir}"; dns { nameserver = ["127.0.0.1:${dns}"]; }
      url_tld = "${dir}/tlds"; hs_cache_dir = "${dir}"; }
    logging { type = "console"; level = "warning"; }
    actions { reject = 15; add_header = 6; }
    lua = "/usr/share/rspamd/rules/rspamd.lua";
    modules { path = "/usr/share/rspamd/plugins/multimap.lua"; path = "/usr/share/rspamd/plugins/rbl.lua"; }
    multimap { IN_FILE { type = "hostname"; map = "${writeBodyFile(world, "names.txt")}"; } }
    rbl { rbls { z { symbol = "IN_ZONE"; rbl = "z"; helo = true; ipv4 = false; ipv6 = false; disable_monitoring = true; } } }
    worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }`,
    );
    const { said } = daemons.start("rspamd", ["-f", "-i", "-c", join(dir, "rspamd.conf")]);
    const found = async (name: string): Promise<readonly string[]> => {
      const headers = { Hostname: name, Helo: name, IP: "192.0.2.1" };
      const body = "From: a@example.org\nMessage-ID: <1@example.org>\n\nhello\n";
      const answer = await fetch(`http://127.0.0.1:${port}/checkv2`, { method: "POST", headers, body });
      return Object.keys(Object(await answer.json()).symbols);
    };
    const searched = new Map<string, readonly string[]>();
    await until(async () =>
      (await found("include.com").catch((): readonly string[] => [])).includes("IN_FILE"),
    );
    for (const name of questions) searched.set(name, await found(name));
    const has = (symbol: string) => (name: string) => searched.get(name)?.includes(symbol) === true;
    expect(await wrongOf(isListed, has("IN_FILE"))).toEqual([]);
    const fits = questions.filter((name) => isName(`${name}.z`));
    expect(await wrongOf((name) => isBlocked(name), has("IN_ZONE"), fits)).toEqual([]);
    expect(said()).not.toMatch(/names\.txt/);
  },
);

/** Rules as the source of urlfilter reads them, which AdGuard Home asks by host name: rules/network.go and rules/regexp.go. */
function adblockRule(line: string) {
  const isAllow = line.startsWith("@@");
  const [pattern = "", options = ""] = line.slice(isAllow ? 2 : 0).split("$");
  const isOfUrl = pattern.startsWith("||");
  const start = isOfUrl ? "^(?:http|https|ws|wss)://(?:[a-z0-9-_.]+\\.)?" : "^";
  const body = pattern.replace(/^\|\|?|\^$/g, "").replaceAll(".", "\\.");
  const expression = new RegExp(`${start}${body}(?:[^ a-zA-Z0-9.%_-]|$)`);
  expect(["", "important"]).toContain(options);
  return {
    matches: (name: string) => expression.test(isOfUrl ? `http://${name}` : name),
    // An exemption goes before a rule, and what is important before both.
    rank: (options === "important" ? 2 : 0) + (isAllow ? 1 : 0),
    isAllow,
  };
}

test("AdGuard Home's reading of the rules blocks what the export lists, and nothing else", async () => {
  const lines = world
    .body("names.adblock")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("!"));
  const rules = lines.map(adblockRule);
  const isDenied = (name: string): boolean => {
    const [first] = rules.filter((rule) => rule.matches(name)).sort((a, b) => b.rank - a.rank);
    return first !== undefined && !first.isAllow;
  };
  // Of what is listed and allowed in turn, the fifth has no rule that would go before the four.
  const canHold = (name: string): boolean => name !== "worse.fine.bad.not.ok.up.example.org";
  expect(await wrongOf((name) => isBlocked(name, canHold), isDenied)).toEqual([]);
});
