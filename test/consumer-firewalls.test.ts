import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDaemons } from "./consumer-daemons.ts";
import { consumerPages, lineMarks, linesOf } from "./consumer-lines.ts";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { mayUnshare, missing, programOf } from "./consumers.ts";
import { until } from "./service.ts";

// The lines of docs/consumers/ for firewalls, as they stand there, and what is promised of every page.

let machine: ConsumerMachine;
let network: ChildProcess | null = null;
const daemons = createDaemons();
beforeAll(async () => {
  machine = await openConsumerMachine();
  if (!mayUnshare()) return;
  // A network of its own, whose tables last from one command to the next.
  network = spawn("unshare", ["-n", "sleep", "3600"], { stdio: "ignore" });
  for (const name of ["nft", "ipset", "iptables", "ip6tables"]) {
    machine.shim(name, `exec nsenter -t ${network.pid} -n ${programOf(name)} "$@"`);
  }
}, 900_000);
afterAll(async () => {
  network?.kill("SIGKILL");
  daemons.stop();
  await machine?.close();
});

describe("the pages:", () => {
  const pages = consumerPages();

  test("each consumer has one, with lines, what happens when Repute is away, and how to see that it works", () => {
    const parts = [/^## Lines to paste$/m, /^## When Repute is away$/m, /^## See that it works$/m];
    const faulty = [...pages].filter(
      ([name, text]) => name !== "README.md" && !parts.every((part) => part.test(text)),
    );
    expect(faulty.map(([name]) => name)).toEqual([]);
    for (const name of ["nftables", "ipset", "pf", "opnsense", "fortigate", "pan-os", "mikrotik", "bind"]) {
      expect([...pages.keys()]).toContain(`${name}.md`);
    }
  });

  test("the index links every page, and no page links one that there is not", () => {
    const index = pages.get("README.md") ?? "";
    for (const name of pages.keys()) if (name !== "README.md") expect(index).toContain(`](${name})`);
    for (const [, text] of pages) {
      for (const [, file = ""] of text.matchAll(/\]\(([a-z-]+\.md)/g))
        expect([...pages.keys()]).toContain(file);
    }
  });

  test("no shell takes a question mark of theirs for a pattern", () => {
    const asked = [...pages.values()].flatMap((text) => text.match(/^(?!#).*repute-fetch \S*\?\S*/gm) ?? []);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((line) => !/repute-fetch '[a-z.-]+\?[a-z0-9=_&]+'$/.test(line))).toEqual([]);
  });

  test("every block of lines that is marked is run by a test", () => {
    const tests = [
      "consumer-bouncers",
      "consumer-fetch",
      "consumer-firewalls",
      "consumer-logs",
      "consumer-resolvers",
      "consumer-servers",
      "first-block",
      "gate-proxies",
    ]
      .map((name) => readFileSync(new URL(`./${name}.test.ts`, import.meta.url), "utf8"))
      .concat(
        ["consumer-shell", "gate-proxies"].map((name) =>
          readFileSync(new URL(`./${name}.ts`, import.meta.url), "utf8"),
        ),
      );
    expect(lineMarks().filter((mark) => !tests.some((text) => text.includes(`"${mark}"`)))).toEqual([]);
  });
});

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: the lines load, load again, find an address, and count (else skipped)",
  async () => {
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    await machine.runLines("nftables-load");
    await machine.runLines("nftables-load");
    const seen = await machine.sh(await machine.pasted("nftables-see"));
    expect([seen.status, seen.stderr]).toEqual([0, ""]);
    expect(seen.stdout.match(/ip saddr @block4 counter packets 0 bytes 0 drop/g)).toHaveLength(1);
    expect(seen.stdout).toContain("ip6 saddr @block6 counter packets 0 bytes 0 drop");
    expect((await machine.sh('nft get element inet repute block4 "{ 45.64.1.7 }"')).status).not.toBe(0);
    // What the machine reads at its start: every file of the folder, the list before the rules.
    const start = join(machine.etc, "start");
    writeFileSync(start, `flush ruleset\ninclude "${machine.etc}/*.nft"\n`);
    expect((await machine.sh(`nft -f ${start}; nft list set inet repute block4`)).stdout).toContain(
      "45.64.2.0/23",
    );
  },
);

/** Lines that are pasted once more change nothing. */
async function pasteTwice(mark: string): Promise<void> {
  for (const _ of [1, 2]) {
    await machine.sh(await machine.pasted("header"));
    expect(await machine.sh(await machine.pasted(mark))).toMatchObject({ status: 0, stderr: "" });
  }
}

/** The commands of a unit, one after the other as systemd runs them. */
const startsOf = (unit: string): string =>
  [...unit.matchAll(/^ExecStart(?:Pre=-|=)(.*)$/gm)].map(([, command]) => command).join("\n");

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: the timer puts back rules and sets that were lost, and its list is never emptied (else skipped)",
  async () => {
    const hour = startsOf(await machine.pasted("nftables-service"));
    const has = async (set: string, address: string): Promise<boolean> =>
      (await machine.sh(`nft get element inet repute ${set} "{ ${address} }"`)).status === 0;
    const listed = async () => (await has("block4", "45.10.5.7")) && (await has("block6", "2a01:5:1::9"));
    const table = async () => (await machine.sh("nft -t list table inet repute")).stdout;
    const whole = await table();
    const noRule = (set: string) =>
      `nft delete rule inet repute input handle $(nft -a list chain inet repute input | sed -n 's/.*@${set} .*handle //p')`;
    for (const command of [hour, await machine.pasted("nftables-hourly")])
      for (const loss of [
        ...["nft flush ruleset", "nft delete table inet repute", "nft flush chain inet repute input"],
        ...["nft flush set inet repute block4", "nft flush set inet repute block6"],
        ...[noRule("block4"), noRule("block6"), `${noRule("block6")}; nft delete set inet repute block6`],
      ]) {
        await machine.sh(await machine.pasted("header"));
        await machine.sh(loss);
        expect([loss, (await table()) !== whole || !(await listed())]).toEqual([loss, true]);
        expect([loss, (await machine.sh(command)).status, await listed()]).toEqual([loss, 0, true]);
        expect([loss, await table()]).toEqual([loss, whole]);
      }
    // A set without one entry, with one more, and of as many others: an older list, say.
    const sets = async () => (await machine.sh("nft list table inet repute")).stdout;
    const all = await sets();
    const one =
      "one=$(nft list set inet repute block4 | grep -oE '([0-9]+[.]){3}[0-9]+(/[0-9]+)?' | head -n 1)\n";
    const [less, more] = [
      'delete element inet repute block4 "{ $one }"',
      "add element inet repute block4 { 198.51.100.7 }",
    ];
    for (const loss of [`nft ${less}`, `nft ${more}`, `nft ${less}; nft ${more}`]) {
      await machine.sh(one + loss);
      expect([loss, (await sets()) === all]).toEqual([loss, false]);
      expect([loss, (await machine.sh("repute-nftables")).status, await sets()]).toEqual([loss, 0, all]);
    }
    // A file that nft refuses keeps no other from being put back.
    const refused = join(machine.etc, "a-broken-one.nft");
    writeFileSync(refused, "# 1 entries;\nadd element inet repute none4 { 192.0.2.1 }\n");
    await machine.sh("nft flush ruleset");
    expect([(await machine.sh("repute-nftables")).status, await listed()]).toEqual([1, true]);
    expect(await table()).toBe(whole);
    rmSync(refused);
    // With a token that is revoked, and with no server: what is said, and what is lost is put back all the same.
    const file = readFileSync(join(machine.etc, "edge.nft"), "utf8");
    const refusals = [
      "echo 'X-API-Key: rpx_gone' >$dir/header",
      "sed -i s,^url=.*,url=http://127.0.0.1:1, $script",
    ];
    const script = join(machine.folder("bin"), "repute-fetch");
    const kept = readFileSync(script, "utf8");
    for (const [loss, status] of Object.entries({ [refusals[0] ?? ""]: 22, [refusals[1] ?? ""]: 7 })) {
      await machine.sh(`dir=${machine.etc} script=${script}\n${loss}\nnft flush ruleset`);
      const ran = await machine.sh(hour);
      expect([ran.status, ran.stderr === "", await listed()]).toEqual([status, false, true]);
      expect(readFileSync(join(machine.etc, "edge.nft"), "utf8")).toBe(file);
    }
    writeFileSync(script, kept);
  },
);

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: the ranges of services go before what is dropped, and are put back as well (else skipped)",
  async () => {
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    const rules = join(machine.etc, "rules.nft");
    const text = readFileSync(rules, "utf8");
    writeFileSync(rules, text.replace(/^add rule/m, `${linesOf("nftables-allow")}add rule`));
    await machine.sh(await machine.pasted("header"));
    await machine.sh("nft flush ruleset; repute-fetch never-block.nft true");
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    const chain = (await machine.sh("nft list chain inet repute input")).stdout;
    expect([...chain.matchAll(/@(\w+) /g)].map(([, set]) => set)).toEqual([
      ...["allow4", "allow6", "block4", "block6"],
    ]);
    for (const set of ["allow4", "allow6", "block4", "block6"])
      expect((await machine.sh(`nft list set inet repute ${set}`)).stdout).toContain("elements = {");
    writeFileSync(rules, text);
    rmSync(join(machine.etc, "never-block.nft"));
    await machine.sh("nft flush ruleset");
  },
);

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: a second export blocks beside the first, also after all is lost (else skipped)",
  async () => {
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    await machine.forget("edge.nft");
    await machine.runLines("nftables-load");
    await pasteTwice("nftables-second");
    const bothBlock = async () => {
      const chain = (await machine.sh("nft list chain inet repute input")).stdout;
      expect([...chain.matchAll(/@(\w+) /g)].map(([, set]) => set)).toEqual([
        ...["block4", "block6", "list_second4", "list_second6"],
      ]);
      for (const [set, address] of Object.entries({ block4: "45.64.2.1", list_second4: "45.9.255.255" }))
        expect((await machine.sh(`nft get element inet repute ${set} "{ ${address} }"`)).status).toBe(0);
    };
    await bothBlock();
    // The first export's lines once more keep the second's.
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    expect(await machine.sh("nft flush chain inet repute input; repute-nftables")).toMatchObject({
      status: 0,
      stderr: "",
    });
    await bothBlock();
    await machine.sh("nft flush ruleset");
    await machine.sh(await machine.pasted("header"));
    expect(await machine.sh(await machine.pasted("nftables-second-hourly"))).toMatchObject({ status: 0 });
    await bothBlock();
    // Two files for one pair of sets are said, and not taken.
    cpSync(join(machine.etc, "edge.nft"), join(machine.etc, "twin.nft"));
    expect(await machine.sh("repute-nftables")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("two files fill block4 block6 and"),
    });
    for (const name of ["second.nft", "twin.nft"]) rmSync(join(machine.etc, name));
    await machine.sh("nft flush ruleset");
  },
);

/** What a run of a script says where it puts not all back. */
const refusal = (text: string) => ({ status: 1, stderr: expect.stringContaining(text) });

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: the rules in force are those of rules.nft, whatever was changed in it (else skipped)",
  async () => {
    const rules = join(machine.etc, "rules.nft");
    await machine.sh(`rm -f ${rules} ${machine.etc}/second.nft*`);
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    const [first, own] = [readFileSync(rules, "utf8"), ["block4", "block6"]];
    const old = (text: string) => text.replaceAll("list_second", "list_old");
    const setsOf = async (chain = "input") =>
      [...(await machine.sh(`nft list chain inet repute ${chain}`)).stdout.matchAll(/@(\w+) /g)].map(
        ([, set]) => set,
      );
    await machine.sh(await machine.pasted("header"));
    expect(await machine.sh(old(await machine.pasted("nftables-second")))).toMatchObject({ status: 0 });
    expect(await setsOf()).toEqual([...own, "list_old4", "list_old6"]);
    // As many lines as before, of another name, as after an export that has another name now.
    writeFileSync(rules, first);
    await machine.sh(await machine.pasted("header"));
    expect(await machine.sh(await machine.pasted("nftables-second"))).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(await setsOf()).toEqual([...own, "list_second4", "list_second6"]);
    expect((await machine.sh('nft get element inet repute list_second4 "{ 45.9.255.255 }"')).status).toBe(0);
    // Lines in another order, fewer lines, and a second chain, of which one rule is gone.
    const second = readFileSync(rules, "utf8");
    const [a = "", b = ""] = second.match(/^add rule .*block.*\n/gm) ?? [];
    const forward = `add chain inet repute forward { type filter hook forward priority -10; }\nflush chain inet repute forward\n${a}${b}`;
    const both = `${second}${forward.replaceAll("repute input", "repute forward")}`;
    for (const [text, wanted] of [
      [second.replace(`${a}${b}`, `${b}${a}`), ["block6", "block4", "list_second4", "list_second6"]],
      [both, [...own, "list_second4", "list_second6"]],
    ] as const) {
      writeFileSync(rules, text);
      for (const _ of [1, 2])
        expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
      expect(await setsOf()).toEqual(wanted);
    }
    await machine.sh(
      "nft delete rule inet repute forward handle $(nft -a list chain inet repute forward | sed -n 's/.*@block6 .*handle //p')",
    );
    expect(await setsOf("forward")).toEqual(["block4"]);
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    expect(await setsOf("forward")).toEqual(own);
    // What rules.nft does not take away is said: a chain that it names no more, and a set without a rule.
    writeFileSync(rules, second);
    expect(await machine.sh("repute-nftables")).toMatchObject(refusal("the rules in force are not those"));
    await machine.sh("nft delete chain inet repute forward");
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    writeFileSync(rules, first);
    expect(await machine.sh("repute-nftables")).toMatchObject(refusal("no rule in"));
    expect(await setsOf()).toEqual(own);
    rmSync(join(machine.etc, "second.nft"));
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    // Nor is a rule by a set that nothing fills, and no rule at all.
    writeFileSync(rules, second);
    await machine.sh("nft flush ruleset");
    expect(await machine.sh("repute-nftables")).toMatchObject(refusal("list_second4, by which a rule goes"));
    for (const lose of [() => writeFileSync(rules, ""), () => rmSync(rules)]) {
      lose();
      expect(await machine.sh("repute-nftables")).toMatchObject(refusal("rules.nft has no rule"));
    }
    writeFileSync(rules, first);
    await machine.sh("nft flush ruleset");
  },
);

/** Beginnings of a file, none with all of it: those that end with a line, but for most of one network, and some in the midst of a line. */
const cutsOf = (text: string): readonly string[] => {
  const ends = [...text.matchAll(/^(.*)\n/gm)]
    .filter(([, line = ""], i) => !/^add \S+-new /.test(line) || i % 7 === 0)
    .map(({ index, 0: line }) => index + line.length)
    .slice(0, -1);
  const midst = [0.3, 0.6, 0.9, 0.99].map((part) => Math.floor(text.length * part));
  return [0, ...ends, ...midst, text.length - 3].map((end) => text.slice(0, end));
};

test.skipIf(missing("nft", "nsenter").length > 0 || !mayUnshare())(
  "nftables: a file that was cut empties and halves no set, and is fetched anew (else skipped)",
  async () => {
    for (const mark of ["nftables-rules", "nftables-script"]) await machine.sh(await machine.pasted(mark));
    await machine.forget("edge.nft");
    await machine.runLines("nftables-load");
    const [list, file] = [() => machine.sh("nft list table inet repute"), join(machine.etc, "edge.nft")];
    const [{ stdout: whole }, text] = [await list(), readFileSync(file, "utf8")];
    // As a list has it that is longer than one statement.
    const chunks = text.replace(
      /^(add element inet repute block4 \{ .*?, .*?), /gm,
      "$1 }\nadd element inet repute block4 { ",
    );
    expect(chunks.match(/^add element/gm)).toHaveLength(3);
    writeFileSync(file, chunks);
    await machine.sh("nft flush ruleset");
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    expect((await list()).stdout).toBe(whole);
    // One of IPv4 alone is whole too, and leaves the set of IPv6 empty.
    const alone = chunks.replace(/^add element inet repute block6 .*\n/m, "");
    const entries = alone.match(/\d+\.[\d./]+(?=,| \})/g)?.length;
    await machine.sh("nft flush ruleset");
    writeFileSync(file, alone.replace(/^# \d+ entries;/m, `# ${entries} entries;`));
    for (const _ of [1, 2])
      expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    expect((await list()).stdout.match(/elements = /g)).toHaveLength(1);
    writeFileSync(file, chunks);
    expect(await machine.sh("repute-nftables")).toMatchObject({ status: 0, stderr: "" });
    for (const cut of cutsOf(chunks)) {
      writeFileSync(file, cut);
      expect(await machine.sh("repute-nftables")).toMatchObject(refusal("edge.nft is not whole"));
      expect([cut, (await list()).stdout]).toEqual([cut, whole]);
    }
    await machine.sh(await machine.pasted("header"));
    await machine.sh("nft flush set inet repute block4");
    expect((await machine.sh(`set +e; ${await machine.pasted("nftables-hourly")}`)).status).toBe(0);
    expect([readFileSync(file, "utf8"), (await list()).stdout]).toEqual([text, whole]);
    await machine.sh("nft flush ruleset");
  },
);

test.skipIf(missing("systemd-analyze").length > 0)(
  "nftables, ipset: systemd accepts the units (else skipped)",
  async () => {
    const units = machine.folder("units");
    await machine.sh(await machine.pasted("ipset-script"));
    await machine.sh(await machine.pasted("nftables-script"));
    for (const mark of ["nftables-service", "nftables-timer", "ipset-service"]) {
      writeFileSync(join(units, `repute-${mark.replace("-", ".")}`), await machine.pasted(mark));
    }
    for (const unit of ["repute-nftables.timer", "repute-ipset.service"]) {
      const checked = await machine.sh(`systemd-analyze verify ${units}/${unit} 2>&1 || true`);
      expect(checked.stdout.split("\n").filter((line) => line.includes("repute-"))).toEqual([]);
    }
  },
);

test.skipIf(missing("ipset", "iptables", "nsenter").length > 0 || !mayUnshare())(
  "ipset: the lines load, load again, and find an address (else skipped)",
  async () => {
    await machine.runLines("ipset-load");
    await machine.sh(await machine.pasted("ipset-script"));
    const rules = await machine.sh(await machine.pasted("ipset-rules"));
    expect([rules.status, rules.stderr]).toEqual([0, ""]);
    await machine.forget("edge.ipset");
    await machine.runLines("ipset-load");
    const seen = await machine.sh(await machine.pasted("ipset-see"));
    expect([seen.status, seen.stdout]).toEqual([0, expect.stringMatching(/Number of entries: [1-9]/)]);
    expect((await machine.sh("ipset test repute4 45.64.1.7")).status).not.toBe(0);
    // What the unit and the hour do when sets and rules are gone, be Repute away or its list the same.
    const [, unit = ""] = /^ExecStart=(.*)$/m.exec(await machine.pasted("ipset-service")) ?? [];
    const rulesOf = async (list: string) => (await machine.sh(`${list} -S INPUT`)).stdout;
    const whole = [await rulesOf("iptables"), await rulesOf("ip6tables")];
    const gone = "iptables -F; ip6tables -F; ipset destroy repute4; ipset destroy repute6";
    for (const command of [unit, await machine.pasted("ipset-hourly"), unit])
      for (const loss of [
        ...[gone, "ip6tables -F; ipset destroy repute6", "iptables -F INPUT", "ip6tables -F INPUT"],
        ...["ipset flush repute4", "ipset flush repute6", "ipset flush repute4; ip6tables -F INPUT"],
      ]) {
        await machine.sh(loss);
        await machine.sh((await machine.pasted("header")).trim());
        for (const _ of [1, 2])
          expect([loss, await machine.sh(command)]).toEqual([
            loss,
            expect.objectContaining({ status: 0, stderr: "" }),
          ]);
        for (const [set, address] of Object.entries({ repute4: "45.10.5.7", repute6: "2a01:5:1::9" }))
          expect([loss, (await machine.sh(`ipset test ${set} ${address}`)).status]).toEqual([loss, 0]);
        expect([loss, await rulesOf("iptables"), await rulesOf("ip6tables")]).toEqual([loss, ...whole]);
      }
    // A set without one entry, with one more, and of as many others: an older list, say.
    const members = async () => (await machine.sh("ipset list repute4 | sed '1,/^Members:/d' | sort")).stdout;
    const all = await members();
    const one = "one=$(ipset list repute4 | sed '1,/^Members:/d' | head -n 1)\n";
    const [less, more] = ["ipset del repute4 $one", "ipset add repute4 198.51.100.7"];
    for (const loss of [less, more, `${less}; ${more}`]) {
      await machine.sh(one + loss);
      expect([loss, (await members()) === all]).toEqual([loss, false]);
      expect([loss, (await machine.sh(unit)).status, await members()]).toEqual([loss, 0, all]);
    }
    // A list that ipset refuses, and a rule that cannot be, keep nothing else from being put back.
    const refused = join(machine.etc, "a-broken-one.ipset");
    writeFileSync(refused, "# 0 entries;\nswap none-new none\ndestroy none-new\n");
    await machine.sh(gone);
    expect((await machine.sh(unit)).status).toBe(1);
    expect([await rulesOf("iptables"), await rulesOf("ip6tables")]).toEqual(whole);
    expect((await machine.sh("ipset test repute4 45.10.5.7")).status).toBe(0);
    const list = join(machine.etc, "edge.ipset");
    await machine.sh(`${gone}; mv ${list} ${list}.lost; ipset create repute6 hash:net family inet6`);
    expect((await machine.sh(unit)).status).toBe(1);
    expect(await rulesOf("ip6tables")).toBe(whole[1]);
    await machine.sh(`mv ${list}.lost ${list}`);
    rmSync(refused);
    await machine.sh("ip6tables -F; ipset destroy repute6");
    expect(await machine.sh(unit)).toMatchObject({ status: 0, stderr: "" });
    for (const [list, set] of Object.entries({ iptables: "repute4", ip6tables: "repute6" })) {
      expect(await rulesOf(list)).toContain(`--match-set ${set} src -j DROP`);
    }
    // A second export blocks beside the first, also after all is lost.
    await pasteTwice("ipset-second");
    for (const mark of ["ipset-script", "ipset-rules"]) await machine.sh(await machine.pasted(mark));
    await machine.sh("iptables -F; ip6tables -F; ipset flush list_second4");
    await machine.sh((await machine.pasted("header")).trim());
    expect(await machine.sh(await machine.pasted("ipset-second-hourly"))).toMatchObject({ status: 0 });
    for (const [set, address] of Object.entries({ repute4: "45.64.2.1", list_second4: "45.9.255.255" }))
      expect((await machine.sh(`ipset test ${set} ${address}`)).status).toBe(0);
    cpSync(join(machine.etc, "edge.ipset"), join(machine.etc, "twin.ipset"));
    const { stderr } = await machine.sh("repute-ipset");
    expect(stderr).toContain("two files fill repute4 repute6 and");
    rmSync(join(machine.etc, "twin.ipset"));
    // The ranges of services are let through, and what was there before is put back with them.
    await pasteTwice("ipset-allow");
    await machine.sh("iptables -F INPUT; ip6tables -F INPUT");
    expect(await machine.sh(unit)).toMatchObject({ status: 0, stderr: "" });
    for (const [list, version] of Object.entries({ iptables: 4, ip6tables: 6 })) {
      const drops = (await rulesOf(list)).split("\n").filter((line) => line.includes("-j DROP"));
      expect(drops.map((line) => line.replace(/^-A INPUT -m set --match-set /, "")).sort()).toEqual(
        ["list_second", "repute"].map(
          (set) => `${set}${version} src -m set ! --match-set repute_allow${version} src -j DROP`,
        ),
      );
      expect((await machine.sh(`ipset list -t repute_allow${version}`)).stdout).toMatch(/entries: [1-9]/);
    }
  },
);

test.skipIf(missing("ipset", "iptables", "nsenter").length > 0 || !mayUnshare())(
  "ipset: sets without a rule are said, and a file that was cut changes no set (else skipped)",
  async () => {
    const [names, file] = [join(machine.etc, "ipset-sets"), join(machine.etc, "edge.ipset")];
    for (const other of ["second.ipset", "never-block.ipset"])
      rmSync(join(machine.etc, other), { force: true });
    rmSync(names, { force: true });
    await machine.sh("iptables -F; ip6tables -F; for set in $(ipset list -n); do ipset destroy $set; done");
    await machine.sh(`rm -f ${file}*`);
    await machine.runLines("ipset-load");
    for (const mark of ["ipset-script", "ipset-rules"])
      expect(await machine.sh(await machine.pasted(mark))).toMatchObject({ status: 0, stderr: "" });
    // The file of names lost, emptied, and without one of them.
    for (const [text, said] of [
      [null, "ipset-sets is missing or empty: no rule is put back"],
      ["", "ipset-sets is missing or empty: no rule is put back"],
      ["another\n", "is repute, whose sets"],
    ] as const) {
      rmSync(names, { force: true });
      if (text !== null) writeFileSync(names, text);
      expect(await machine.sh("repute-ipset")).toMatchObject(refusal(said));
    }
    writeFileSync(names, "repute\n");
    // The ranges of services need no line.
    await machine.sh(await machine.pasted("header"));
    await machine.sh(await machine.pasted("ipset-allow"));
    expect(await machine.sh("repute-ipset")).toMatchObject({ status: 0, stderr: "" });
    const members = async () =>
      (await machine.sh("for set in repute4 repute6; do ipset list $set | sed '1,/^Members:/d' | sort; done"))
        .stdout;
    const [whole, text] = [await members(), readFileSync(file, "utf8")];
    for (const cut of cutsOf(text)) {
      writeFileSync(file, cut);
      expect(await machine.sh("repute-ipset")).toMatchObject(refusal("edge.ipset is not whole"));
      expect([cut, await members()]).toEqual([cut, whole]);
    }
    await machine.sh(await machine.pasted("header"));
    await machine.sh("ipset flush repute4");
    expect((await machine.sh(`set +e; ${await machine.pasted("ipset-hourly")}`)).status).toBe(0);
    expect([readFileSync(file, "utf8"), await members()]).toEqual([text, whole]);
    expect(await machine.sh("repute-ipset")).toMatchObject({ status: 0, stderr: "" });
  },
);

test.skipIf(missing("fail2ban-server", "fail2ban-client", "grepcidr").length > 0)(
  "fail2ban: a listed address is banned at its first request, a published range never (else skipped)",
  async () => {
    await machine.runLines("fail2ban-load");
    const home = machine.folder("fail2ban");
    cpSync("/etc/fail2ban", home, { recursive: true });
    for (const name of ["jail.d", "jail.local"]) rmSync(join(home, name), { recursive: true, force: true });
    const log = join(home, "access.log");
    writeFileSync(log, "");
    const jail = (await machine.pasted("fail2ban-listed")).replace("/var/log/nginx/access.log", log);
    const spared = linesOf("fail2ban-jail").replaceAll("/etc/repute", machine.etc);
    // One jail goes by the default, and its actions are none: nothing of this machine's firewall is touched.
    const every = `\n[every]\nenabled = true\nfilter = repute\nlogpath = ${log}\nbackend = polling\nmaxretry = 1\naction =\n`;
    writeFileSync(
      join(machine.folder("fail2ban/jail.d"), "repute.local"),
      `${spared}\n${jail}action =\n${every}`,
    );
    writeFileSync(join(home, "filter.d", "repute.conf"), await machine.pasted("fail2ban-filter"));
    appendFileSync(join(home, "fail2ban.local"), "[Definition]\ndbfile = :memory:\n");
    const [socket, pid] = [join(home, "sock"), join(home, "pid")];
    daemons.start("fail2ban-server", [
      "-c",
      home,
      "-s",
      socket,
      "-p",
      pid,
      "-f",
      "--logtarget",
      join(home, "log"),
    ]);
    const status = async (name: string): Promise<string> =>
      (await machine.sh(`fail2ban-client -s ${socket} status ${name} 2>&1 || true`)).stdout;
    await until(async () => (await status("every")).includes("Banned IP list"));
    const [crawler = ""] = readFileSync(join(machine.etc, "never-block.txt"), "utf8")
      .split("\n")
      .filter((line) => /^\d/.test(line));
    const spare = crawler.split("/")[0] ?? "";
    const now = new Date().toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, "$1/$2/$3:$4 +0000");
    for (const address of ["45.10.5.7", "203.0.113.9", spare]) {
      appendFileSync(log, `${address} - - [${now}] "GET / HTTP/1.1" 200 1\n`);
    }
    await until(
      async () =>
        (await status("every")).includes("203.0.113.9") && (await status("repute")).includes("45.10.5.7"),
    );
    expect(await status("repute")).not.toContain("203.0.113.9");
    expect(await status("every")).not.toContain(spare);
  },
);
