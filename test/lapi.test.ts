import { existsSync, renameSync, truncateSync } from "node:fs";
import { get as httpGet } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChance } from "../bench/statistics.ts";
import { change, type Listed, publishListed, whole } from "../chaos/bouncers/model.ts";
import { systemClock } from "../src/base/clock.ts";
import { exportFiles, exportsDirOf } from "../src/exports/state.ts";
import { startTestService, type TestService, until } from "./service.ts";

const FILE = {
  engines: { builtin: false },
  exports: [{ name: "edge" }, { name: "names", kind: "allow" }, { name: "later" }],
};
const random = createChance(26);

let [one, two]: TestService[] = [];
let listed: Listed = { v4: new Map(), v6: new Set() };
let generation = Math.floor(systemClock.now().getTime() / 1000);
let token = "";
let email = "";

const first = (): TestService => {
  if (one === undefined) throw new Error("There is no service");
  return one;
};
const files = () => exportFiles(join(exportsDirOf(first().dataDir), "edge"));

/** Both processes have the same data folder; a state that they read is good for a second. */
async function publishNext(): Promise<void> {
  listed = change(listed, random);
  await publishListed(files(), listed, { generation: ++generation, now: systemClock.now() });
  for (const service of [one, two]) {
    if (service === undefined) continue;
    await until(async () => {
      const head = await lapi("decisions/stream", { method: "HEAD" }, service);
      return head.headers.get("x-export-generation") === String(generation);
    });
  }
}

const lapi = (
  path: string,
  { agent = "test/1", key = token, method = "GET", headers = {}, body }: Wish = {},
  service = first(),
): Promise<Response> =>
  fetch(`${service.address}/lapi/v1/${path}`, {
    method,
    headers: { "user-agent": agent, ...(key === null ? {} : { "x-api-key": key }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
type Wish = {
  readonly agent?: string;
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Stream = { readonly new: { value: string; scope: string }[]; readonly deleted: { value: string }[] };

/** What a bouncer has after an answer, which it applies as CrowdSec's do. */
function apply(held: Set<string>, text: string): Stream {
  const stream: Stream = JSON.parse(text);
  for (const { value } of stream.deleted) held.delete(value);
  for (const { value } of stream.new) held.add(value);
  return stream;
}

beforeAll(async () => {
  one = await startTestService({ file: FILE });
  await until(() => existsSync(join(exportsDirOf(first().dataDir), "built.json")));
  two = await startTestService({ file: FILE, dataDir: first().dataDir });
  email = (await first().openAccount()).email;
  token = (await first().accounts.createToken({ email, scopes: ["decisions"] })).text;
  await publishNext();
}, 600_000);
afterAll(async () => {
  await two?.close();
  await one?.close();
});

describe("the stream:", () => {
  test("begins with everything, packed or not, and tells nothing twice that is not new", async () => {
    const plain = await lapi("decisions/stream?startup=true", { headers: { "accept-encoding": "identity" } });
    const held = new Set<string>();
    const stream = apply(held, await plain.text());
    expect(held).toEqual(whole(listed));
    expect(stream.new[0]).toEqual({
      ...{
        id: expect.any(Number),
        origin: "repute",
        type: "ban",
        scope: expect.stringMatching(/^(Ip|Range)$/),
      },
      ...{ value: expect.any(String), duration: "4h0m0s", scenario: "repute/attack" },
    });
    expect(new Set(stream.new.map((each) => JSON.stringify(each))).size).toBe(stream.new.length);
    const packed = await lapi("decisions/stream?startup=true", { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(JSON.parse(await packed.text())).toEqual(stream);
    const next = await lapi("decisions/stream");
    expect([next.status, await next.text()]).toEqual([200, '{"new":[],"deleted":[]}']);
  });

  test("HEAD tells which generation it is, and moves nothing", async () => {
    const head = await lapi("decisions/stream?startup=true", { method: "HEAD", agent: "head/1" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("x-export-generation")).toBe(String(generation));
  });

  test("two processes that answer in turn lose nothing and leave nothing", async () => {
    const held = new Set<string>();
    const agent = "turns/1";
    apply(held, await (await lapi("decisions/stream?startup=true", { agent })).text());
    for (let turn = 0; turn < 4; turn++) {
      await publishNext();
      const answer = await lapi("decisions/stream", { agent }, turn % 2 === 0 ? two : one);
      expect(answer.status).toBe(200);
      apply(held, await answer.text());
      expect(held).toEqual(whole(listed));
    }
  });

  test("an answer that broke off is told again", async () => {
    const held = new Set<string>();
    const agent = "broken/1";
    apply(held, await (await lapi("decisions/stream?startup=true", { agent })).text());
    await publishNext();
    await new Promise<void>((resolve, reject) => {
      const headers = { "x-api-key": token, "user-agent": agent };
      const request = httpGet(
        `${first().address}/lapi/v1/decisions/stream`,
        { headers, agent: false },
        (answer) => {
          answer.once("data", () => request.destroy());
          answer.once("error", () => undefined).once("close", resolve);
        },
      );
      request.once("error", reject);
    });
    apply(held, await (await lapi("decisions/stream", { agent })).text());
    expect(held).toEqual(whole(listed));
  });

  test("the firewall's bouncer is told addresses, and how much it cannot enforce", async () => {
    const agent = "crowdsec-firewall-bouncer/v0.0.25";
    const answer = await lapi("decisions/stream?startup=true", { agent });
    const stream = apply(new Set(), await answer.text());
    expect(new Set(stream.new.map(({ scope }) => scope))).toEqual(new Set(["Ip"]));
    expect(answer.headers.get("x-export-not-enforceable")).toBe("1");
  });

  test("who asks for addresses alone is told those that stand in a network here", async () => {
    const answer = await lapi("decisions/stream?startup=true&scopes=ip", { agent: "addresses/1" });
    const stream = apply(new Set(), await answer.text());
    expect(new Set(stream.new.map(({ scope }) => scope))).toEqual(new Set(["Ip"]));
    const whole = await (await lapi("decisions/stream?startup=true", { agent: "all/1" })).text();
    const isSmall = ({ value }: { readonly value: string }) => Number(value.split("/")[1] ?? 32) >= 24;
    const small = apply(new Set(), whole).new.filter((one) => !one.value.includes(":") && isSmall(one));
    const addresses = small.reduce(
      (sum, { value }) => sum + 2 ** (32 - Number(value.split("/")[1] ?? 32)),
      0,
    );
    expect(stream.new.filter(({ value }) => !value.includes(":"))).toHaveLength(addresses);
    expect(addresses).toBeGreaterThan(small.length);
    const asked = "../edge/expand=no/v1/decisions/stream?startup=true&scopes=ip";
    const asNetworks = apply(new Set(), await (await lapi(asked, { agent: "both/1" })).text());
    expect(asNetworks.new.map(({ value }) => value)).toEqual(stream.new.map(({ value }) => value));
  });

  test("a file that cannot be made is a 503 in JSON; one that is too short is cut off", async () => {
    await publishNext();
    const bin = files().generation(generation);
    renameSync(bin, `${bin}.away`);
    const away = await lapi("decisions/stream?startup=true", { agent: "fault/1" });
    expect([away.status, await away.json()]).toEqual([
      503,
      { message: "These decisions are not ready; try again" },
    ]);
    renameSync(`${bin}.away`, bin);
    const options = { agent: "fault/1", headers: { "accept-encoding": "identity" } };
    await (await lapi("decisions/stream?startup=true", options)).text();
    truncateSync(files().body(generation, `stream~no~ir~${"1".repeat(15)}~14400`), 300);
    const cut = await lapi("decisions/stream?startup=true", options);
    await expect(cut.text()).rejects.toThrow();
    await publishNext();
  });
});

describe("one question:", () => {
  test("of an address, a network and a value", async () => {
    const [[network = 0] = []] = [...listed.v4].filter(([, length]) => length === 32);
    const ip = [24, 16, 8, 0].map((bits) => (network >>> bits) & 255).join(".");
    const asked = async (query: string) => await (await lapi(`decisions?${query}`)).json();
    expect(await asked(`ip=${ip}`)).toMatchObject([{ value: ip, scope: "Ip" }]);
    expect(await asked("ip=46.0.0.9")).toMatchObject([
      { scope: "Range", value: expect.stringMatching(/^46\.0\.0\.0\//) },
    ]);
    expect(await asked("range=46.0.0.0/24")).toMatchObject([{ scope: "Range" }]);
    expect(await asked("value=46.0.0.9")).toBeNull();
    expect(await asked("ip=192.0.2.1")).toBeNull();
    const [low = 0] = listed.v6;
    const ipv6 = `2a01:6::${low.toString(16)}`;
    expect(await asked(`ip=${ipv6}`)).toMatchObject([{ value: ipv6, scope: "Ip" }]);
    expect(await asked("ip=2a01:6::ffff")).toBeNull();
  });

  test("usage metrics are taken", async () => {
    const answer = await lapi("usage-metrics", { method: "POST", body: '{"remediation_components":[]}' });
    expect([answer.status, await answer.text()]).toEqual([201, ""]);
  });
});

describe("what is refused, in JSON with a message alone:", () => {
  test.each([
    ["decisions/stream?export=other", 404, 'There is no export "other"'],
    ["decisions/stream?export=names", 404, "of kind block and target ip"],
    ["decisions/stream?export=later", 503, "0 entries"],
    ["decisions/stream?startup=maybe", 422, "startup"],
    ["decisions/stream?startup=true&startup=true", 422, "more than once"],
    ["decisions/stream?expnad=no", 422, '"expnad"'],
    ["decisions/stream?expand=16", 422, "expand"],
    ["../edge/v1/decisions/stream?export=later", 422, 'export "edge" and the query "later"'],
    ["../edge/expand=no/v1/decisions/stream?expand=24", 422, 'expand "no" and the query "24"'],
    ["decisions/stream?origins=cscli", 422, "origins"],
    ["decisions/stream?scopes=country", 422, "scopes"],
    ["decisions/stream?startup=true&scenarios_containing=ssh", 422, "repute/attack"],
    ["decisions/stream?startup=true&scenarios_not_containing=spam,repute/", 422, "repute/listed"],
    ["decisions?ip=192.0.2.1&scenarios_containing=atack", 422, "No decision has such a scenario"],
    ["decisions?ip=192.0.2.1&banned=false", 422, "banned"],
    ["decisions", 422, "ip, range and value"],
    ["decisions?ip=banana", 422, "banana"],
    ["decisions?ip=192.0.2.1&range=192.0.2.0/24", 422, "ip, range and value"],
    [`decisions/stream?${"x".repeat(12_000)}=1`, 422, "xxx"],
    ["alerts", 403, "Only decisions/stream"],
    ["../v1/heartbeat", 403, "Only decisions/stream"],
  ])("%s", async (path, status, message) => {
    const answer = await lapi(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      status,
      "application/json; charset=utf-8",
    ]);
    const body = await answer.json();
    expect(Object.keys(Object(body))).toEqual(["message"]);
    expect(JSON.stringify(body).replaceAll('\\"', '"')).toContain(message);
  });

  test("other methods, and credentials that open nothing", async () => {
    const make = async (wish: object): Promise<string> =>
      (await first().accounts.createToken({ email, scopes: ["decisions"], ...wish })).text;
    const { key } = await first().openAccount();
    const refused = async (wish: Wish): Promise<number> => {
      const answer = await lapi("decisions/stream", wish);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
      return answer.status;
    };
    expect(await refused({ key: null })).toBe(403);
    expect(await refused({ key: "rpx_wrong" })).toBe(403);
    expect(await refused({ key })).toBe(403);
    expect(await refused({ key: await make({ scopes: ["gate"] }) })).toBe(403);
    expect(await refused({ key: await make({ networks: ["192.0.2.0/24"] }) })).toBe(403);
    expect(await refused({ method: "POST", body: "{}" })).toBe(403);
    expect(await refused({ method: "DELETE" })).toBe(403);
  });
});
