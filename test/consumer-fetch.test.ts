import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { firstSteps, linesFor } from "../web/app/exports/lines.ts";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { mayUnshare } from "./consumers.ts";

// The script of docs/consumers/README.md, as it stands there.

/** What Repute says of each file of an export. */
const OURS = { "x-export-generation": "1" };

let machine: ConsumerMachine;
beforeAll(async () => {
  machine = await openConsumerMachine();
}, 900_000);
afterAll(() => machine?.close());

/** The script as it fetches from another address. */
function fetchFrom(url: string, name: string): string {
  const script = readFileSync(join(machine.folder("bin"), "repute-fetch"), "utf8");
  const path = join(machine.folder("broken"), name);
  writeFileSync(path, script.replace(/^url=.*$/m, `url=${url}`), { mode: 0o755 });
  return path;
}

async function scriptFor(server: Server | TcpServer, name: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  return fetchFrom(`http://127.0.0.1:${typeof bound === "object" ? (bound?.port ?? 0) : 0}`, name);
}

/** What a proxy between sends in place of a list. */
const PORTAL: Readonly<Record<string, readonly [status: number, headers: object, body: string]>> = {
  "/api/exports/login.txt": [200, { etag: '"1"', "content-type": "text/html" }, "<h1>Log in</h1>\n"],
  "/api/exports/empty.txt": [200, {}, ""],
  "/api/exports/none.txt": [200, OURS, ""],
  "/api/exports/moved.txt": [302, { location: "/login" }, "moved\n"],
  "/api/exports/quiet.txt": [204, {}, ""],
};

const PAGES = ["login", "empty", "none", "moved", "quiet"].map((name) => `${name}.txt`);

const openPortal = (): Server =>
  createServer((request, response) => {
    const [status, headers, body] = PORTAL[request.url ?? ""] ?? [500, {}, ""];
    response.writeHead(status, { ...headers }).end(body);
  });

type Ran = { readonly status: number | null; readonly out: string; readonly error: string };

/** What comes of a program that runs beside a server of this process. */
function runBeside(path: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, error] = ["", ""];
  child.stdout.on("data", (text) => (out += String(text)));
  child.stderr.on("data", (text) => (error += String(text)));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, out, error })));
}

async function ranBeside(
  path: string,
  args: readonly string[],
): Promise<readonly [status: number | null, out: string]> {
  const { status, out } = await runBeside(path, args);
  return [status, out];
}

/** What there is of an export, but for the lock of those that fetch it. */
const leftOf = (name: string): readonly string[] =>
  readdirSync(machine.etc).filter((file) => file.startsWith(name) && !file.endsWith(".lock"));

describe("repute-fetch:", () => {
  test("fetches once, and not again while nothing changed", async () => {
    await machine.runLines("squid-load");
    const again = async (command: string) => {
      await machine.sh((await machine.pasted("header")).trim());
      return machine.sh(`repute-fetch edge.txt ${command}`);
    };
    // Each of two programs that read one file is told of what is new to it.
    for (const command of ["echo one", "echo two"]) {
      expect(await again(command)).toMatchObject({ status: 0, stdout: `${command.slice(5)}\n` });
      expect(await again(command)).toMatchObject({ status: 0, stdout: "" });
    }
    expect(readFileSync(join(machine.etc, "edge.txt"), "utf8")).toContain("\n45.64.2.0/23\n");
  });

  test("what the consumer refuses is taken back, and tried again the next time", async () => {
    const before = readFileSync(join(machine.etc, "edge.txt"), "utf8");
    await machine.forget("edge.txt");
    writeFileSync(join(machine.etc, "edge.txt"), "kept\n");
    await machine.sh((await machine.pasted("header")).trim());
    const refused = await machine.sh("repute-fetch edge.txt false");
    expect([refused.status, readFileSync(join(machine.etc, "edge.txt"), "utf8")]).toEqual([1, "kept\n"]);
    await machine.sh((await machine.pasted("header")).trim());
    expect((await machine.sh("repute-fetch edge.txt echo new")).stdout).toBe("new\n");
    expect(readFileSync(join(machine.etc, "edge.txt"), "utf8")).toBe(before);
  });

  test("every consumer may read the lists, and root alone the token, whatever the umask", async () => {
    const etc = machine.folder("strict/etc");
    const hidden = (text: string) => `umask 077\n${text.replaceAll(machine.etc, etc)}`;
    rmSync(etc, { recursive: true });
    await machine.sh(hidden(await machine.pasted("header")));
    const script = join(machine.folder("strict"), "fetch");
    await machine.sh(
      hidden((await machine.pasted("fetch")).replaceAll("/bin/repute-fetch", "/strict/fetch")),
    );
    expect((await machine.sh(`umask 077; ${script} edge.txt true`)).status).toBe(0);
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(["", "edge.txt", "header"].map((name) => modeOf(join(etc, name)))).toEqual(["755", "644", "600"]);
  });

  test("a file that was lost or emptied is fetched again, and a first one that the consumer refuses is not left", async () => {
    const edge = join(machine.etc, "edge.txt");
    expect((await machine.sh("repute-fetch edge.txt echo new")).stdout).toBe("");
    for (const lose of [() => rmSync(edge), () => writeFileSync(edge, "")]) {
      lose();
      await machine.sh((await machine.pasted("header")).trim());
      expect((await machine.sh("repute-fetch edge.txt echo new")).stdout).toBe("new\n");
      expect(readFileSync(edge, "utf8")).toContain("\n45.64.2.0/23\n");
    }
    rmSync(edge);
    // What was taken back once is older than what was lost.
    writeFileSync(`${edge}.old`, "older\n");
    await machine.sh((await machine.pasted("header")).trim());
    expect((await machine.sh("repute-fetch edge.txt false")).status).toBe(1);
    expect(existsSync(edge)).toBe(false);
    await machine.sh((await machine.pasted("header")).trim());
    expect((await machine.sh("repute-fetch edge.txt echo new")).stdout).toBe("new\n");
  });

  test("files that cron fetches at the same time, with one token, all arrive", async () => {
    await machine.sh(await machine.pasted("header"));
    // No other test loads these.
    const files = ["edge.csv", "edge.edl", "edge.ndjson", "edge.rsc"];
    const lines = files.map((file) => `repute-fetch ${file} echo new &`);
    const ran = await machine.sh(`${lines.join("\n")}\nwait`);
    expect(ran.stdout).toBe("new\n".repeat(files.length));
  });

  test("of two at once, the consumer is never given half of the second one's download by the first", async () => {
    const whole = Array.from({ length: 9 }, (_, i) => `45.0.0.${i}\n`).join("");
    const second = Promise.withResolvers<void>();
    const firstEnded = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let requests = 0;
    const halves = createServer((request, response) => {
      if (request.headers["if-none-match"] === '"1"') {
        response.writeHead(304).end();
        return;
      }
      response
        .writeHead(200, { "content-length": whole.length, etag: '"1"', ...OURS })
        .write(whole.slice(0, 33));
      // The first is slow for as long as the second may begin; the second until the first is done.
      const last =
        requests++ === 0 ? Promise.race([second.promise, systemClock.sleep(3000)]) : firstEnded.promise;
      begun.resolve();
      if (requests === 2) second.resolve();
      void last.then(() => response.end(whole.slice(33)));
    });
    const script = await scriptFor(halves, "halves");
    const run = () => ranBeside(script, ["two.txt", "cat", join(machine.etc, "two.txt")]);
    const first = run().finally(firstEnded.resolve);
    await begun.promise;
    const other = run();
    expect(await first).toEqual([0, whole]);
    expect(await other).toEqual([0, ""]);
    halves.close();
  });

  test("what Repute says of a refusal is printed, and nothing of it is kept or given to the consumer", async () => {
    await machine.sh((await machine.pasted("header")).trim());
    const own = join(machine.folder("bin"), "repute-fetch");
    const unknown = await runBeside(own, ["edge.parquet", "echo", "new"]);
    expect(unknown).toMatchObject({ status: 22, out: "" });
    expect(unknown.error).toMatch(/^repute-fetch: Repute answered 404 to edge\.parquet:\n/);
    expect(unknown.error).toContain('There is no format \\"parquet\\"');
    expect(leftOf("edge.parquet")).toEqual([]);
  });

  test("an export that is not built yet is waited for", async () => {
    let requests = 0;
    const late = createServer((_, response) => {
      requests++;
      if (requests === 1) response.writeHead(503, { "retry-after": "1" }).end("not built yet\n");
      else response.writeHead(200, { etag: '"1"', ...OURS }).end("45.0.0.1\n");
    });
    const script = await scriptFor(late, "late");
    expect(await ranBeside(script, ["late.txt", "cat", join(machine.etc, "late.txt")])).toEqual([
      0,
      "45.0.0.1\n",
    ]);
    late.closeAllConnections();
    await new Promise((closed) => late.close(closed));
  });

  test("a page that a proxy sends in place of a list is none, whatever its status", async () => {
    const portal = openPortal();
    const script = await scriptFor(portal, "portal");
    for (const name of PAGES) {
      writeFileSync(join(machine.etc, name), "kept\n");
      const { status, out, error } = await runBeside(script, [name, "echo", "new"]);
      expect([name, status, out]).toEqual([name, 22, ""]);
      expect(error).toMatch(/^repute-fetch: /);
      expect(readFileSync(join(machine.etc, name), "utf8")).toBe("kept\n");
      expect(leftOf(name)).toEqual([name]);
    }
    portal.closeAllConnections();
    await new Promise((closed) => portal.close(closed));
  });

  test("an answer that does not tell where it ends is not taken for a whole list", async () => {
    const old = createTcpServer((socket) => {
      const head = Object.entries({ ...OURS, etag: '"1"' }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(`HTTP/1.0 200 OK\r\n${head.join("")}\r\n45.0.0.1\n45.0`));
    });
    const script = await scriptFor(old, "endless");
    writeFileSync(join(machine.etc, "endless.txt"), "kept\n");
    const { status, out, error } = await runBeside(script, ["endless.txt", "echo", "new"]);
    expect([status, out, error]).toEqual([22, "", expect.stringContaining("does not tell where it ends")]);
    expect(readFileSync(join(machine.etc, "endless.txt"), "utf8")).toBe("kept\n");
    await new Promise((closed) => old.close(closed));
  });

  test.skipIf(!mayUnshare())(
    "a full disk keeps the old list and no part of the new one (else skipped)",
    async () => {
      const dir = machine.folder("full");
      const large = createServer((_, response) => {
        response.writeHead(200, { etag: '"1"', ...OURS }).end("45.0.0.1\n".repeat(300_000));
      });
      const script = await scriptFor(large, "large");
      const here = `sed -i 's,^dir=.*,dir=${dir},' ${script}; mount -t tmpfs -o size=1m none ${dir}; cd ${dir}`;
      const before = "echo 'X-API-Key: x' >header; echo kept >edge.txt";
      const after = `${script} edge.txt echo new || echo "ended $?"; cat edge.txt; ls`;
      const ran = await runBeside("unshare", ["-m", "sh", "-ec", `${here}; ${before}; ${after}`]);
      expect(ran.out).toBe("ended 23\nkept\nedge.txt\nedge.txt.lock\nheader\n");
      expect(ran.error).toContain("curl: (23)");
      large.closeAllConnections();
      await new Promise((closed) => large.close(closed));
    },
  );

  test("a download that is cut, a 503 and a server that is away leave file and consumer as they are", async () => {
    const broken = createServer((request, response) => {
      if (request.url?.includes("cut")) {
        response.writeHead(200, { "content-length": "1000", etag: '"1"', ...OURS }).write("1.2.3.4\n");
        setImmediate(() => response.destroy());
      } else response.writeHead(503, { "retry-after": "3600" }).end("away");
    });
    const [away, other] = [fetchFrom("http://127.0.0.1:1", "away"), await scriptFor(broken, "other")];
    for (const name of ["cut.txt", "down.txt", "gone.txt"]) writeFileSync(join(machine.etc, name), "kept\n");
    const ran = await Promise.all([
      ranBeside(other, ["cut.txt", "echo", "new"]),
      ranBeside(other, ["down.txt", "echo", "new"]),
      ranBeside(away, ["gone.txt", "echo", "new"]),
    ]);
    expect(ran).toEqual([18, 22, 7].map((status) => [status, ""]));
    for (const name of ["cut.txt", "down.txt", "gone.txt"]) {
      expect(readFileSync(join(machine.etc, name), "utf8")).toBe("kept\n");
    }
    broken.closeAllConnections();
    await new Promise((closed) => broken.close(closed));
  });
});

test("the dashboard's first steps and line fetch the list", async () => {
  const one = { name: "edge", kind: "block", target: "ip", formats: [{ format: "txt" }] };
  const { address } = machine.service;
  const line = linesFor(Object(one), address).find(({ consumer }) => consumer === "HAProxy")?.fetch;
  const [etc, bin] = [machine.folder("dashboard"), machine.folder("dashboard-bin")];
  rmSync(etc, { recursive: true });
  const token = /rpx_\w+/.exec(await machine.pasted("header"))?.[0] ?? "";
  const steps = firstSteps(address).replaceAll("/etc/repute", etc).replaceAll("/usr/local/bin", bin);
  const script = `${steps.replaceAll("rpx_YOUR_TOKEN", token)}\nPATH="${bin}:$PATH"\n${line}`;
  expect(await machine.sh(script)).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(join(etc, "edge.txt"), "utf8")).toContain("\n45.64.2.0/23\n");
});
