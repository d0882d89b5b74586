import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../src/cli/run.ts";
import { onInternet } from "./servers/resolvers.ts";
import {
  environmentOf,
  knowsNobody,
  startTestService,
  type TestAccount,
  type TestService,
} from "./service.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-check-server-"));
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    dns: onInternet((question) =>
      question.name.toLowerCase() === "silent.example" ? "silence" : knowsNobody(question),
    ),
  });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `repute check ARGS --server` with a key, in this process. */
const check = (key: string, args: readonly string[], input = "") =>
  run([...args, "--server", service.address], { REPUTE_KEY: key }, input);

async function run(args: readonly string[], env: Readonly<Record<string, string>>, input = "") {
  let [out, error] = ["", ""];
  const status = await runCli(["check", ...args], {
    env,
    cwd: folder,
    isTerminal: false,
    stdin: Readable.from(input === "" ? [] : [input], { objectMode: false }),
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
  });
  const rows = out.split("\n").filter((line) => line !== "");
  return { status, out, error, rows };
}

/** Endpoint, items and status of an account's calls. */
async function callsOf({ id }: TestAccount): Promise<readonly string[]> {
  const calls = service.db.kysely.selectFrom("calls").selectAll().where("account_id", "=", id);
  return (await calls.execute()).map((row) => `${row.endpoint} ${row.items} ${row.status}`).toSorted();
}

const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => `20.${Math.floor(i / 250)}.7.${i % 250}`);

describe("repute check --server", () => {
  test("asks for many values in batches of each kind, and gives the answers in the order of the lines", async () => {
    const account = await service.openAccount();
    const lines = addresses(250).flatMap((ip, i) => [
      ip,
      ...(i % 10 === 0 ? [`d${i}.example`] : []),
      ...(i % 50 === 0 ? [`ann@m${i}.example`, "no value at all"] : []),
    ]);
    const file = join(folder, "values.txt");
    writeFileSync(file, lines.join("\n"));
    const { status, error, rows } = await check(account.key, ["--file", file, "--csv"]);
    expect({ status, error }).toEqual({ status: 1, error: "5 of 285 values could not be looked up\n" });
    expect(rows.slice(1).map((row) => row.split(",").slice(0, 2).join(" "))).toEqual(
      lines.map((line) => `${line} ${kindOf(line)}`),
    );
    expect(rows.filter((row) => row.includes("This is not an address"))).toHaveLength(5);
    expect(await callsOf(account)).toEqual([
      "bulk/check-ip 100 200",
      "bulk/check-ip 100 200",
      "bulk/check-ip 50 200",
      "bulk/domain-reputation 25 200",
      "bulk/email-reputation 5 200",
    ]);
  });

  test("a batch's answers are those of single calls, in the view asked for", async () => {
    const { key } = await service.openAccount();
    const { status, rows } = await check(key, ["-", "--json", "--view", "verdict"], "20.0.7.1\n20.0.7.2\n");
    expect(status).toBe(0);
    const single = await service.call({ path: "/api/check-ip?view=verdict", body: { ip: "20.0.7.1" }, key });
    const [first, second] = rows.map((row) => JSON.parse(row));
    expect(first).toMatchObject({ ip: "20.0.7.1", risk_score: single.of("data", "risk_score") });
    expect(second.ip).toBe("20.0.7.2");
  });

  test.each(["verdict", "compact", "standard", "full"])(
    "reads the scores of every kind in the view %s",
    async (view) => {
      const { key } = await service.openAccount();
      const values = ["20.0.7.1", "e.example", "ann@e.example", "http://u.example/a"];
      for (const asked of [...values.map((value) => [value]), [...values, "http://u.example/b"]]) {
        const { status, rows, error } = await check(key, [...asked, "--csv", "--view", view]);
        expect({ status, error }).toEqual({ status: 0, error: "" });
        expect(rows.slice(1).map((row) => row.split(",")[3])).toEqual(asked.map(() => "done"));
      }
    },
  );

  test("what was said before a value is what is asked, with its type", async () => {
    const account = await service.openAccount();
    const { out } = await check(account.key, ["dns", "d.example", "--type", "MX", "--json"]);
    expect(await callsOf(account)).toEqual(["dns-lookup 1 200"]);
    const asked = service.dns.questions.filter(({ name }) => name.toLowerCase() === "d.example");
    expect(asked.map(({ type }) => type)).toEqual(["MX"]);
    expect(JSON.parse(out)).toMatchObject({ domain: "d.example" });
  });

  test.each([
    ["whois", "example.com"],
    ["dns", "silent.example", "--type", "MX"],
  ])(
    "says of a value without an answer what a check without a server says, with status 1: %s",
    async (...args) => {
      const { key } = await service.openAccount();
      const bare = await run([...args, "--csv"], environmentOf(service.dataDir, service.dns));
      expect(bare.rows[1]).toMatch(/^\S+,(whois|dns),[^,]*,failed,,,,,"?(upstream_error|timeout): ./);
      const { status, out } = await check(key, [...args, "--csv"]);
      expect({ status, out }).toEqual({ status: 1, out: bare.out });
      expect((await check(key, args)).out).toMatch(/^error +\S+: (upstream_error|timeout): ./);
      expect((await check(key, [...args, "--json", "--view", "verdict"])).status).toBe(1);
    },
  );

  test("waits where the plan lets no more calls in", async () => {
    const { key } = await service.openAccount({ plan: "Free", credits: 1000 });
    const { status, rows, error } = await check(key, ["-", "--json"], addresses(400).join("\n"));
    expect(status).toBe(0);
    expect(error).toMatch(/^(?:warning: http:\/\/\S+ asks to wait \(HTTP 429\): \d+ s\n)*$/);
    expect(rows.map((row) => JSON.parse(row).ip)).toEqual(addresses(400));
  });

  test("spends the balance to its end, prints what that paid for, and stops", async () => {
    const account = await service.openAccount({ credits: 130 });
    const { status, rows, error } = await check(account.key, ["-", "--json"], addresses(600).join("\n"));
    expect(status).toBe(1);
    expect(error).toMatch(/^error: The account has too few credits left \(HTTP 402: .*\)\n$/);
    expect(rows).toHaveLength(130);
    expect(await service.balanceOf(account)).toBe(0);
  });

  test.each([
    { key: "rpt_nonsense", args: [], status: 1, says: "does not know the key" },
    { key: "", args: [], status: 2, says: "REPUTE_KEY" },
    { key: "rpt_secret\nx", args: [], status: 2, says: "characters that no key has" },
    { key: "rpt_nonsense", args: ["--offline"], status: 2, says: "--offline or --server" },
  ])("refuses $args with the key $key", async ({ key, args, status, says }) => {
    const outcome = await check(key, ["20.0.7.1", "20.0.7.2", ...args]);
    expect(outcome).toMatchObject({ status, out: "" });
    expect(outcome.error).toContain(says);
  });
});

test("refuses a name and a password in the address of the service", async () => {
  const address = service.address.replace("://", "://jane:secret@");
  const { status, error } = await run(["20.0.7.1", "--server", address], { REPUTE_KEY: "rpt_x" });
  expect(status).toBe(2);
  expect(error).toContain("without a user name and a password");
  expect(error).not.toContain("secret");
});

describe.each<{ readonly answer: object }>([
  { answer: { data: null } },
  { answer: { data: [] } },
  { answer: { data: { constructor: 5 } } },
  { answer: { data: { ip: "20.0.7.1", risk_score: { verdict: 7 } } } },
  { answer: { data: { ip: "20.0.7.1", risk_score: { result: 99, band: "grave", verdict: "grave" } } } },
  { answer: { data: { ip: "20.0.7.1", risk_score: { result: "9", band: "high", verdict: "high" } } } },
  { answer: { results: [] } },
])("a service that answers $answer", ({ answer }) => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each([[["20.0.7.1"]], [["20.0.7.1", "20.0.7.2"]]])("passes none of %j", async (values) => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : null;
    const args = [...values, "--server", `http://127.0.0.1:${port}`, "--csv", "--fail-on", "low"];
    const { status, out } = await run(args, { REPUTE_KEY: "rpt_x" });
    expect(status).not.toBe(0);
    expect(out).toContain("no answer that can be read");
    expect(out).not.toMatch(/,done,/);
  });
});

describe("a service that is none", () => {
  let server: Server;
  let respond: (response: ServerResponse) => void;
  let address: string;
  beforeAll(async () => {
    server = createServer((_request, response) => respond(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = Object(server.address());
    address = `http://127.0.0.1:${port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("cannot make a second line of its error", async () => {
    const message = "gone\nclean             0 20.0.7.2\r\u2028clean             0 20.0.7.3";
    respond = (response) => response.writeHead(500).end(JSON.stringify({ errors: [{ message }] }));
    const { status, rows } = await run(["20.0.7.1", "20.0.7.4", "--server", address], {
      REPUTE_KEY: "rpt_x",
    });
    expect(status).toBe(1);
    expect(rows).toHaveLength(2);
    expect(rows.every((row) => row.startsWith("error "))).toBe(true);
  });

  test("is left when its answer does not end", async () => {
    respond = (response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1 << 20, " ")));
      };
      response.on("drain", more);
      more();
    };
    const { status, out, error } = await run(["20.0.7.1", "--server", address], { REPUTE_KEY: "rpt_x" });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(error).toMatch(/^error: http:\/\/127\.0\.0\.1:\d+ answers with more than \d+ bytes\n$/);
  });
});

function kindOf(line: string): string {
  if (line.includes("@")) return "email";
  if (line.includes(" ")) return "";
  return line.endsWith(".example") ? "domain" : "ip";
}
