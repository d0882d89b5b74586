import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { runCli } from "../src/cli/run.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startDnsServer, type TestDnsServer } from "./servers/dns-server.ts";
import { startWebServer } from "./servers/web-server.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-check-file-"));
let dns: TestDnsServer;
beforeAll(async () => {
  dns = await startDnsServer(() => ({}));
  await putSnapshots(folder);
  configure("http://127.0.0.1:1/");
});
afterAll(async () => {
  await dns.close();
  rmSync(folder, { recursive: true, force: true });
});

function fileOf(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** One list of an address, a DNS blacklist, and registries. */
function configure(registries: string): void {
  const listed = fileOf("listed.txt", "198.41.0.4\n");
  const feed = { key: "mine", target: "ip", format: "plain", url: pathToFileURL(listed).href };
  const zone = { key: "zone", name: "Zone", target: "ip", zone: "bl.example", listed: ["127.0.0.2"] };
  const file = {
    dns: { servers: [dns.address], timeout_ms: 200 },
    rdap: { bootstrap_url: registries },
    engines: { builtin: false, feeds: [feed], dnsbl: [zone] },
  };
  fileOf("repute.yaml", stringify(file));
}

type Wish = { readonly input?: string; readonly drained?: () => Promise<unknown> | null };

/** `repute check ARGS` on local lists alone, in this process. */
const check = (args: readonly string[], wish: Wish = {}) => repute(["check", ...args, "--offline"], wish);

async function repute(words: readonly string[], { input = "", drained = () => null }: Wish = {}) {
  const output = { out: "", error: "" };
  const status = await runCli(words, {
    env: { REPUTE_DATA_DIR: folder, REPUTE_CONFIG: join(folder, "repute.yaml") },
    cwd: folder,
    isTerminal: false,
    drained,
    stdin: Readable.from(input === "" ? [] : [input], { objectMode: false }),
    writeOut: (text) => {
      output.out += text;
    },
    writeError: (text) => {
      output.error += text;
    },
  });
  return { status, ...output, rows: output.out.split("\n").filter((line) => line !== "") };
}

const LINES = ["198.41.0.4", "# a remark", "", "d.example", "  ::1 ", "http://d.example/x", "ann@d.example"];
const VALUES = ["198.41.0.4", "d.example", "::1", "http://d.example/x", "ann@d.example"];

test("--offline asks nothing of the network, whatever the kind, and says that it does not", async () => {
  const web = await startWebServer(() => undefined);
  configure(`${web.url}/`);
  const { status, out, error } = await check([
    "198.41.0.4",
    "d.example",
    "http://d.example/",
    "ann@d.example",
  ]);
  expect({ status, error }).toEqual({ status: 0, error: "" });
  expect(out).toMatch(/Listed by 1 of 1 engine /);
  expect(out).toContain("  Reverse DNS  not asked\n");
  expect(out).toContain("Did not answer (1)\n  error: Not asked because of --offline (Zone)");
  expect(out.trimEnd().split("\n").at(-1)).toBe("Local lists alone were asked (--offline): nothing was sent");
  expect([dns.questions, web.requests]).toEqual([[], []]);
});

test.each([
  ["plain lines", "values.txt", `${LINES.join("\r\n")}\r\n`],
  ["CSV", "values.csv", `id,IP,note\n${VALUES.map((value, i) => `${i},"${value}",x`).join("\n")}\n`],
  ["CSV without titles", "bare.csv", VALUES.map((value) => `${value},x`).join("\n")],
  ["NDJSON", "values.ndjson", VALUES.map((target) => JSON.stringify({ n: 1, target })).join("\n")],
  ["plain lines packed by gzip", "values.gz", gzipSync(VALUES.join("\n"))],
  ["CSV packed by gzip", "values.csv.gz", gzipSync(`ip,n\n${VALUES.join(",1\n")}\n`)],
  ["NDJSON of texts", "texts.jsonl", VALUES.map((value) => JSON.stringify(value)).join("\n")],
])("--file reads %s, of mixed kinds, in order", async (_, name, text) => {
  const { status, out, error } = await check(["--file", fileOf(name, text), "--csv"]);
  expect({ status, error }).toEqual({ status: 0, error: "" });
  expect(out).toBe(
    [
      "input,repute_kind,repute_target,repute_state,repute_verdict,repute_score,repute_detections,repute_engines,repute_note",
      "198.41.0.4,ip,198.41.0.4,done,suspicious,38,1,1,",
      "d.example,domain,d.example,done,unknown,,,,",
      "::1,ip,::1,done,not_applicable,,,,",
      "http://d.example/x,url,http://d.example/x,done,unknown,,,,",
      "ann@d.example,email,ann@d.example,done,critical,99,,,",
      "",
    ].join("\n"),
  );
});

test("- reads standard input; a line that is nothing is one line of the answer, and status 1", async () => {
  const { status, rows } = await check(["-", "--json"], { input: "198.41.0.4\nno value\n::1" });
  expect(status).toBe(1);
  const [first, second, third] = rows.map((row) => JSON.parse(row));
  expect(first.blacklists.detections).toBe(1);
  expect(second).toMatchObject({ input: "no value", kind: "unrecognised" });
  expect(third.ip).toBe("::1");
});

test.each([
  ["a line without end", "1".repeat(200_000), "Line 1 is longer than 65536 characters"],
  ["a line that is no JSON", '"::1"\n{"ip": ', "Line 2 is not JSON"],
])("%s is wrong usage", async (_, input, says) => {
  const { status, error } = await check(["-", "--json"], { input });
  expect(status).toBe(2);
  expect(error).toBe(`error: ${says}\n`);
});

test("--fail-on and --quiet tell by the exit status alone", async () => {
  const file = fileOf("two.txt", "::1\n198.41.0.4\n");
  expect(await check(["--file", file, "--quiet", "--fail-on", "suspicious"])).toMatchObject({
    status: 3,
    out: "",
    error: "",
  });
  expect(await check(["--file", file, "--quiet", "--fail-on", "critical"])).toMatchObject({ status: 0 });
});

test.each([
  ["the first", "no value\n198.41.0.4\n::1\n"],
  ["the last", "198.41.0.4\n::1\nno value"],
  ["between others", "::1\nno value\n198.41.0.4\nno other\n"],
])("a value that reached the band of --fail-on goes before one that is none, %s", async (_, text) => {
  const args = ["--file", fileOf("mixed.txt", text), "--quiet", "--fail-on"];
  const { status, error } = await check([...args, "suspicious"]);
  expect(status).toBe(3);
  expect(error).toMatch(/^[12] of [34] values could not be looked up\n$/);
  expect(await check([...args, "high"])).toMatchObject({ status: 1, error });
});

test.each([
  ["a program", Buffer.from("\u007fELF\u0002\u0001\u0000\n198.41.0.4\n\u0000\n", "latin1")],
  ["UTF-16", Buffer.from("\uFEFF198.41.0.4\r\n::1\r\n", "utf16le")],
  ["a program packed by gzip", gzipSync(Buffer.alloc(100))],
])("a file of %s is one fault, and nothing of it is looked up", async (_, octets) => {
  const { status, out, error } = await check(["--file", fileOf("octets", octets), "--json"]);
  expect([status, out]).toEqual([2, ""]);
  expect(error).toBe("error: The input is not text: wanted are lines in UTF-8, also packed by gzip\n");
});

const PACKED = gzipSync(Buffer.from("198.41.0.4\n".repeat(5000)));

describe.each([
  ["check", "--quiet", "--file"],
  ["policy", "test", "default", "--log"],
])("`%s %s %s …` of what gzip packed, and that is", (...words) => {
  test.each([
    ["cut off", PACKED.subarray(0, 20)],
    ["cut off at its end", PACKED.subarray(0, -3)],
    ["damaged", Buffer.from(PACKED).fill(0xff, 12, 30)],
    ["followed by something else", Buffer.concat([PACKED, Buffer.from("and more")])],
    ["no more than its first octets", Buffer.from([0x1f, 0x8b, 0xff])],
  ])("%s, names the file", async (_, octets) => {
    const file = fileOf("bad.gz", octets);
    const { status, error } = await repute([...words, file]);
    expect(status).toBe(1);
    expect(error).toContain(`error: "${file}" is packed by gzip, and cut off or damaged: `);
    expect(error.trim().split("\n")).toHaveLength(1);
  });
});

test.each([
  ["check", "--file"],
  ["policy", "test", "default", "--log"],
])("`%s %s …` of a folder names it", async (...words) => {
  const { status, error } = await repute([...words, folder]);
  expect([status, error]).toEqual([
    1,
    `error: Cannot use "${folder}": a folder stands where a file is needed\n`,
  ]);
});

test("while nothing takes the output no more is printed", async () => {
  const file = fileOf("many.txt", "198.41.0.4\n".repeat(2000));
  const { promise, resolve } = Promise.withResolvers<void>();
  let waits = 0;
  const running = check(["--file", file, "--json"], {
    drained: () => {
      waits += 1;
      return waits === 10 ? promise : null;
    },
  });
  while (waits < 10) await new Promise(setImmediate);
  await new Promise((end) => setTimeout(end, 100));
  expect(waits).toBe(10);
  resolve();
  expect((await running).rows).toHaveLength(2000);
});

test.each(["", "# nothing but a remark\n\n"])(
  "an input without a value, %j, is said to be one",
  async (input) => {
    const { status, out, error } = await check(["-", "--fail-on", "high", "--quiet"], { input });
    expect([status, out]).toEqual([0, ""]);
    expect(error).toBe("There is no value in the input: nothing was looked up\n");
  },
);
