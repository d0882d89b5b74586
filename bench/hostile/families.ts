import { writeFileSync } from "node:fs";
import { type OutgoingHttpHeaders, request } from "node:http";
import { systemClock } from "../../src/base/clock.ts";
import { projectFile, startNode } from "../processes.ts";
import { checkIp, type Serving } from "../world.ts";
import {
  bodiesOf,
  emails,
  headerValues,
  names,
  pagesOf,
  policyTails,
  rdapAnswersOf,
  type Texts,
  txtRecords,
  urls,
  whoisAnswersOf,
} from "./texts.ts";
import type { HostileWorld } from "./world.ts";

/** One text and how it is fed to the service; resolves when it was answered. */
export type Probe = { readonly name: string; readonly feed: () => Promise<unknown> };

type Family = (world: HostileWorld, serving: Serving) => readonly Probe[];

const MIB = 1_048_576;
const PAGE_BYTES = 5_000_000;
const MESSAGE_BYTES = 60_000;

/** Answers that say nothing of a text. */
const UNREAD: ReadonlySet<number> = new Set([401, 402, 403, 429, 500, 503]);

let calls = 0;

/** A call by an account of many; from a client of its own, so that no window is full. */
function post(
  { port }: Serving,
  path: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): Promise<number> {
  const number = ++calls;
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: "127.0.0.1", port, path, method: "POST" },
        localAddress: `127.0.${1 + ((number >> 8) % 250)}.${number % 250 || 1}`,
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (answer) => {
        answer.resume();
        const { statusCode = 0 } = answer;
        answer.on("end", () => {
          if (UNREAD.has(statusCode))
            reject(new Error(`${path} answered ${statusCode}: the text was not read`));
          else resolve(statusCode);
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

const asking =
  (world: HostileWorld, serving: Serving, path: string) =>
  (body: object | string): Promise<number> =>
    post(serving, path, typeof body === "string" ? body : JSON.stringify(body), {
      "X-API-Key": world.keys[calls % world.keys.length],
    });

const probesOf = (texts: Texts, feed: (text: string, turn: number) => Promise<unknown>): readonly Probe[] =>
  Object.entries(texts).map(([name, text]) => ({ name, feed: () => feed(text, ++turns) }));

/** New names: answers are remembered. */
let turns = 0;

/** A call that must make the service ask for a text, or nothing was measured. */
async function answered(world: HostileWorld, key: string, call: Promise<number>): Promise<void> {
  const status = await call;
  if (!world.asked.delete(key)) throw new Error(`Answered ${status} without asking for ${key}`);
}

const listed = (texts: readonly string[]): Texts =>
  Object.fromEntries(texts.map((text, i) => [`${i}: ${text.slice(0, 40)}`, text]));

/** An HTTP answer in octets. */
const answer = (body: string, headers: readonly string[] = []): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        "HTTP/1.1 200 OK",
        "Content-Type: text/html; charset=utf-8",
        ...headers,
        "Connection: close",
        "",
        "",
      ].join("\r\n"),
      "latin1",
    ),
    Buffer.from(body),
  ]);

/** What is Latin-1 goes as that: octets that are no UTF-8. */
const octetsOf = (text: string): readonly Buffer[] => {
  const octets = Buffer.from(text, /[^\0-\u00ff]/.test(text) ? "utf8" : "latin1");
  return Array.from({ length: Math.ceil(octets.length / 255) }, (_, i) =>
    octets.subarray(255 * i, 255 * (i + 1)),
  );
};

const txt = (text: string) => ({ answers: [{ type: "TXT", data: octetsOf(text) }] });

const pages: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/url-reputation");
  return probesOf(pagesOf(PAGE_BYTES), (text, turn) => {
    world.pages.clear();
    world.pages.set(`/page/${turn}`, answer(text));
    return answered(world, `/page/${turn}`, ask({ url: `${world.site}/page/${turn}` }));
  });
};

/** Each value in sixteen headers of every answer, along ten redirects. */
const headers: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/url-reputation");
  return probesOf(headerValues(), (value, turn) => {
    const written = value.replaceAll(/[\r\n]/g, " ");
    const names = [
      "Set-Cookie",
      "Refresh",
      "Content-Type",
      "X-Robots-Tag",
      "Server",
      "Strict-Transport-Security",
    ];
    const fields = Array.from({ length: 15 }, (_, i) => `${names[i] ?? "Set-Cookie"}: ${written}`);
    for (let hop = 0; hop < 10; hop++) {
      const to = `Location: /hop/${turn}/${hop + 1}`;
      world.pages.set(
        `/hop/${turn}/${hop}`,
        Buffer.from(
          `HTTP/1.1 302 Found\r\n${to}\r\n${fields.join("\r\n")}\r\nContent-Length: 0\r\n\r\n`,
          "latin1",
        ),
      );
    }
    world.pages.set(`/hop/${turn}/10`, answer("<p>here", fields.slice(3)));
    return answered(world, `/hop/${turn}/10`, ask({ url: `${world.site}/hop/${turn}/0` }));
  });
};

const certificates: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/url-reputation");
  if (world.secureSite === null) return [];
  return probesOf({ "a thousand names": "" }, (_, turn) => {
    world.pages.set(`/secure/${turn}`, answer("<p>here"));
    return answered(world, `/secure/${turn}`, ask({ url: `${world.secureSite}/secure/${turn}` }));
  });
};

const whois: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/whois-lookup");
  return probesOf(whoisAnswersOf(MIB - 1), (text, turn) => {
    world.whois.clear();
    world.whois.set(`w${turn}.bench`, `Domain Name: w${turn}.bench\n${text}`.slice(0, MIB - 1));
    return answered(world, `w${turn}.bench`, ask({ query: `w${turn}.bench` }));
  });
};

const rdap: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/whois-lookup");
  return probesOf(rdapAnswersOf(MIB - 1), (text, turn) => {
    world.rdap.clear();
    world.rdap.set(`/domain/r${turn}.rdap`, text.replace("bench.rdap", `r${turn}.rdap`));
    return answered(world, `/domain/r${turn}.rdap`, ask({ query: `r${turn}.rdap` }));
  });
};

const dnsTexts: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/dns-lookup");
  return probesOf(txtRecords(MESSAGE_BYTES), (text, turn) => {
    world.dns.set(`TXT t${turn}.example.com`, txt(text));
    return answered(
      world,
      `TXT t${turn}.example.com`,
      ask({ domain: `t${turn}.example.com`, record_type: "TXT" }),
    );
  });
};

const policies: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/domain-reputation");
  return probesOf(policyTails(MESSAGE_BYTES), (tail, turn) => {
    const name = `p${turn}.example.com`;
    world.dns.set(`A ${name}`, { answers: [{ type: "A", data: "127.1.0.9" }] });
    world.dns.set(`TXT ${name}`, txt(`v=spf1 ${tail}`));
    world.dns.set(`TXT _dmarc.${name}`, txt(`v=DMARC1; ${tail}`));
    world.dns.set(`TXT default._bimi.${name}`, txt(`v=BIMI1; l=${tail}`));
    world.dns.set(`TXT _mta-sts.${name}`, txt(`v=STSv1; id=${tail}`));
    world.dns.set(`TXT _smtp._tls.${name}`, txt(`v=TLSRPTv1; rua=${tail}`));
    return answered(world, `TXT _dmarc.${name}`, ask({ domain: name }));
  });
};

const reverseNames: Family = (world, serving) => {
  const ask = asking(world, serving, "/api/check-ip");
  const labels: Texts = {
    letters: "a",
    hyphens: "-",
    "octets that are no text": "\u00ff",
    dots: "\\",
    blanks: " ",
  };
  return probesOf(labels, (piece, turn) => {
    const name = `${`${piece.repeat(piece === "\u00ff" ? 30 : 60)}.`.repeat(3)}example`;
    const records = Array.from({ length: 250 }, () => ({ type: "PTR", data: name }));
    world.dns.set(`PTR ${turn % 250}.${turn >> 8}.9.9.in-addr.arpa`, { answers: records });
    return answered(
      world,
      `PTR ${turn % 250}.${turn >> 8}.9.9.in-addr.arpa`,
      ask({ ip: `9.9.${turn >> 8}.${turn % 250}` }),
    );
  });
};

const bodies: Family = (world, serving) => {
  const texts = bodiesOf(MIB);
  const [single, bulk] = ["/api/check-ip", "/api/bulk/email-reputation"].map((path) =>
    asking(world, serving, path),
  );
  return [...(single ? probesOf(texts, single) : []), ...(bulk ? probesOf(texts, bulk) : [])];
};

const dashboardBodies: Family = (_, serving) => {
  const origin = { Origin: `http://127.0.0.1:${serving.port}` };
  const feed = (text: string) => post(serving, "/api/dashboard/sign-in", text, origin);
  return [...probesOf(bodiesOf(16_384), feed), ...probesOf(bodiesOf(MIB), feed)];
};

/** Batches are slow: each text of so many is one. */
const EVERY = 8;

/** One by one, and a hundred of each at once. */
const targets =
  (product: string, field: string, many: string, texts: () => readonly string[]): Family =>
  (world, serving) => {
    const [one, hundred] = [`/api/${product}`, `/api/bulk/${product}`].map((path) =>
      asking(world, serving, path),
    );
    if (one === undefined || hundred === undefined) return [];
    return [
      ...probesOf(listed(texts()), (text) => one({ [field]: text })),
      ...probesOf(listed(texts().filter((_, i) => i % EVERY === 0)), (text) =>
        hundred({
          [many]: Array.from({ length: 100 }, (_, i) => text.slice(0, -3) + String(i).padStart(3, "0")),
        }),
      ),
      ...probesOf(
        { "a megabyte": "a.".repeat(500_000), "a megabyte of blanks": " ".repeat(1_000_000) },
        (text) => one({ [field]: text }),
      ),
    ];
  };

const LINES = ["a", ".", "-", "[", "(dot)", "0", ":", "%", "/", "\u202e", " ", "#", "1."];
/** How long a changed list may take until it is in force. */
const LIST_MS = 120_000;

/** Lines that are no addresses, each as long as a line may be, among ten times as many that are; until they are in force. */
const lists: Family = (world, serving) => [
  {
    name: "lines of repeats",
    feed: async () => {
      const turn = ++turns % 250;
      const awkward = LINES.flatMap((piece) =>
        Array.from({ length: 20 }, () => piece.repeat(4000).slice(0, 4000)),
      );
      const addresses = Array.from(
        { length: 10 * awkward.length },
        (_, i) => `9.${i >> 8}.${i % 256}.${turn}`,
      );
      writeFileSync(world.listFile, [...awkward, ...addresses, ""].join("\n"));
      const updating = startNode({
        args: [projectFile("src/main.ts"), "feeds", "update", "hostile"],
        cpu: null,
        cwd: world.env["REPUTE_DATA_DIR"] ?? ".",
        env: world.env,
      });
      await updating.gone;
      await isListed(world, serving, addresses[0] ?? "");
    },
  },
];

async function isListed(world: HostileWorld, serving: Serving, ip: string): Promise<void> {
  for (const endMs = performance.now() + LIST_MS; performance.now() < endMs; await systemClock.sleep(20)) {
    const { text } = await checkIp(
      serving.port,
      world.keys[++calls % world.keys.length] ?? "",
      JSON.stringify({ ip }),
    );
    if (!text.includes('"detections":0')) return;
  }
  throw new Error("The list was not taken");
}

/** Every family of outside text, by the key of its figure. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  bodies,
  dashboard: dashboardBodies,
  urls: targets("url-reputation", "url", "urls", urls),
  emails: targets("email-reputation", "email", "emails", emails),
  names: targets("domain-reputation", "domain", "domains", names),
  txt: dnsTexts,
  policies,
  ptr: reverseNames,
  whois,
  rdap,
  pages,
  headers,
  certificates,
  lists,
};
