import { describe, expect, test } from "vitest";
import { addressRecord, until } from "../../../test/servers/dns-client.ts";
import type { TestReply, TestScript } from "../../../test/servers/dns-server.ts";
import { JUDGED_TIMEOUT_MS, judging, said, type TrustWish } from "../../../test/servers/judged-dns.ts";
import { FAILING, LIARS, onInternet, PORTAL } from "../../../test/servers/resolvers.ts";
import { parseCidr } from "../../targets/cidr.ts";
import type { RecordType } from "./dns-types.ts";

const NXDOMAIN: TestReply = { rcode: 3 };
const TEN_MINUTES_MS = 600_000;

const TYPES = ["A", "AAAA", "MX", "NS", "TXT", "CAA", "SOA", "DS", "PTR", "CNAME"] as const;

describe("a resolver that says the same to everything", () => {
  test.each(Object.entries(LIARS))("is believed nothing: %s", async (_, script) => {
    const { dns, trust } = await judging(script);
    const answers = await Promise.all(TYPES.map((type) => said(dns, "www.example.com", type)));
    for (const answer of answers)
      expect(answer).toMatch(/^error: DNS answers are not trusted: the resolver /);
    for (const name of ["gone.example", "www.gone.example.net", "9.113.0.203.in-addr.arpa"]) {
      expect(await said(dns, name)).toMatch(/^error: DNS answers are not trusted/);
    }
    expect(trust.trouble()?.sentence).toMatch(/^DNS answers are not trusted: the resolver /);
  });

  test.each(Object.entries(FAILING))(
    "fails as it does, and its trouble is named: %s",
    async (name, script) => {
      const { dns, trust, raw } = await judging(script);
      expect(await said(dns, "www.example.com")).toBe(await said(raw, "www.example.com"));
      await until(() => name !== "silence" || trust.trouble() !== null);
      if (name === "silence")
        expect(trust.trouble()?.sentence).toMatch(/^The resolver answers no question: No answer within/);
    },
  );

  test.each([
    ["NXDOMAIN to all", 'the resolver says that "com" does not exist'],
    ["no records to all", 'the resolver says that "com" has no name servers'],
    ["one address to all", 'the resolver says that "com" has no name servers'],
  ])("is named for what it says: %s", async (name, words) => {
    const { dns, trust } = await judging(LIARS[name] ?? []);
    await said(dns, "www.example.com");
    expect(trust.trouble()?.sentence).toBe(`DNS answers are not trusted: ${words}`);
  });
});

describe("a resolver of the Internet", () => {
  const zone: Readonly<Record<string, TestReply>> = {
    "A www.example.com": { answers: [addressRecord("192.0.2.1")] },
    "MX www.example.com": {},
  };
  const script: TestScript = ({ name, type }) => zone[`${type} ${name.toLowerCase()}`] ?? NXDOMAIN;

  test("is believed everything", async () => {
    const { dns, trust, logged } = await judging(onInternet(script));
    expect(await said(dns, "gone.example")).toBe("NXDOMAIN");
    expect(await said(dns, "www.example.com", "MX")).toBe("NOERROR");
    expect(await said(dns, "www.example.com")).toBe('NOERROR "192.0.2.1"');
    expect([trust.trouble(), logged()]).toEqual([null, []]);
  });

  test("that gives an address for names that do not exist is believed what else it says", async () => {
    const rewrites: TestScript = (question) => {
      const honest = [onInternet(script)(question)].flat()[0];
      const isAbsent = typeof honest === "object" && "rcode" in honest && honest.rcode === 3;
      return isAbsent && question.type === "A" ? { answers: [addressRecord(PORTAL)] } : (honest ?? {});
    };
    const { dns, trust } = await judging(rewrites);
    const sentence = `DNS answers are not trusted: the resolver gives ${PORTAL} for names that do not exist`;
    expect(await said(dns, "gone.example")).toBe(`error: ${sentence}`);
    expect(await said(dns, "www.example.com")).toBe('NOERROR "192.0.2.1"');
    expect(await said(dns, "www.example.com", "MX")).toBe("NOERROR");
    expect(await said(dns, "gone.example", "MX")).toBe("NXDOMAIN");
    expect(trust.trouble()).toEqual({ kind: "untrue", sentence });
  });

  test("that gives other addresses in turn for names that do not exist is believed no address", async () => {
    let turn = 0;
    const rewrites: TestScript = (question) => {
      const { name, type } = question;
      if (/^r[0-9a-f]{20}|^www\.r/.test(name.toLowerCase()) && type === "A") {
        return { answers: [addressRecord(`198.51.100.${turn++ % 3}`)] };
      }
      return onInternet(script)(question);
    };
    const { dns } = await judging(rewrites);
    expect(await said(dns, "www.example.com")).toMatch(/^error: DNS answers are not trusted/);
    expect(await said(dns, "www.example.com", "MX")).toBe("NOERROR");
  });

  test("that turns every absence into an empty answer is not believed that there is nothing", async () => {
    const hides: TestScript = (question) => {
      const { name, type } = question;
      if (/^(www\.)?r[0-9a-f]{20}\./.test(name.toLowerCase())) {
        return type === "A" ? { answers: [addressRecord(PORTAL)] } : {};
      }
      return onInternet(() => ({}))(question);
    };
    const { dns } = await judging(hides);
    expect(await said(dns, "gone.example", "MX")).toMatch(/^error: DNS answers are not trusted/);
  });
});

describe("a resolver of a private network, which says that com does not exist", () => {
  const zone: Readonly<Record<string, TestReply>> = {
    "A www.lab": { answers: [addressRecord("192.0.2.1")] },
    "MX www.lab": {},
  };
  const script: TestScript = ({ name, type }) => zone[`${type} ${name.toLowerCase()}`] ?? NXDOMAIN;

  test("is believed from its first record on", async () => {
    const { dns, trust, logged } = await judging(script);
    expect(await said(dns, "gone.lab")).toMatch(/^error: DNS answers are not trusted/);
    expect(await said(dns, "www.lab")).toBe('NOERROR "192.0.2.1"');
    expect(await said(dns, "gone.lab")).toBe("NXDOMAIN");
    expect(trust.trouble()).toBeNull();
    expect(logged().map(({ msg }) => msg)).toEqual([
      'DNS answers are not trusted: the resolver says that "com" does not exist',
      "The resolver answers as it should again",
    ]);
  });

  test.each<[string, readonly (readonly [string, RecordType])[], TestScript]>([
    [
      "asked at the same time",
      [
        ["gone.lab", "A"],
        ["www.lab", "A"],
      ],
      script,
    ],
    [
      "that comes later",
      [
        ["gone.lab", "A"],
        ["www.lab", "A"],
      ],
      (question) =>
        question.name.toLowerCase() === "www.lab" ? { ...zone["A www.lab"], delayMs: 50 } : script(question),
    ],
    [
      "an empty answer, where it denies other names",
      [
        ["gone.lab", "A"],
        ["www.lab", "MX"],
      ],
      script,
    ],
    [
      "an SOA of its own",
      [
        ["gone.lab", "A"],
        ["also.gone.lab", "A"],
      ],
      ({ name }) =>
        name.toLowerCase().startsWith("also")
          ? { ...NXDOMAIN, authorities: [{ type: "SOA", name: "lab", data: { mname: "a", rname: "b" } }] }
          : NXDOMAIN,
    ],
  ])("is believed in the first call that shows it knows a name: %s", async (_, questions, behaviour) => {
    const { dns } = await judging(behaviour);
    const answers = await Promise.all(questions.map(([name, type]) => said(dns, name, type)));
    expect(answers[0]).toBe("NXDOMAIN");
  });

  test.each<[string, TrustWish]>([
    ["dns.probe_names", { probeNames: ["www.lab"] }],
    ["the rest of the configuration", { witnesses: [{ name: "www.lab", type: "A" }] }],
  ])("is believed from the start when it knows a name of %s", async (_, wish) => {
    const { dns, trust } = await judging(script, wish);
    expect(await said(dns, "gone.lab")).toBe("NXDOMAIN");
    expect(trust.trouble()).toBeNull();
  });

  test("is believed when it leads every name into a network that lookups may reach", async () => {
    const wildcard: TestScript = ({ type }) =>
      type === "A" ? { answers: [addressRecord("127.1.0.12")] } : {};
    const { dns, trust } = await judging(wildcard, { ownNetworks: [parseCidr("127.1.0.0/16")] });
    expect(await said(dns, "www.lab")).toBe('NOERROR "127.1.0.12"');
    expect(await said(dns, "www.lab", "MX")).toBe("NOERROR");
    expect(trust.trouble()).toBeNull();
  });

  test("shows nothing by names that every resolver knows", async () => {
    const loopback: TestScript = ({ name }) =>
      name.toLowerCase() === "1.0.0.127.in-addr.arpa"
        ? { answers: [{ type: "PTR", data: "localhost" }] }
        : NXDOMAIN;
    const { dns } = await judging(loopback);
    expect(await said(dns, "1.0.0.127.in-addr.arpa", "PTR")).toBe('NOERROR "localhost"');
    expect(await said(dns, "gone.lab")).toMatch(/^error: DNS answers are not trusted/);
  });

  test("is believed after the next probes while it still knows what it knew, and no longer", async () => {
    const { dns, server, clock } = await judging(script);
    await said(dns, "www.lab");
    clock.move(TEN_MINUTES_MS);
    expect(await said(dns, "gone.lab")).toBe("NXDOMAIN");
    server.use(() => NXDOMAIN);
    clock.move(TEN_MINUTES_MS);
    expect(await said(dns, "gone.lab")).toMatch(/^error: DNS answers are not trusted/);
  });

  test("is believed by what blacklist zones on it answer", async () => {
    const { dns, trust, raw } = await judging(script);
    expect(await said(dns, "gone.lab")).toMatch(/^error/);
    expect(await said(trust.watch(raw), "www.lab")).toBe('NOERROR "192.0.2.1"');
    expect(await said(dns, "gone.lab")).toBe("NXDOMAIN");
  });
});

describe("the probes", () => {
  test("are repeated each ten minutes, and a resolver that turns is noticed", async () => {
    const { dns, server, clock } = await judging(onInternet(() => NXDOMAIN));
    expect(await said(dns, "gone.example")).toBe("NXDOMAIN");
    server.use(() => NXDOMAIN);
    clock.move(TEN_MINUTES_MS - 5000);
    expect(await said(dns, "gone.example")).toBe("NXDOMAIN");
    clock.move(5000);
    // A later round counts when it is over.
    await expect.poll(() => said(dns, "gone.example")).toMatch(/^error: DNS answers are not trusted/);
  });

  test.each(Object.entries(LIARS))(
    "notice within a minute that a resolver is well again: %s",
    async (_, script) => {
      const { dns, server, clock, trust } = await judging(script);
      expect(await said(dns, "gone.example")).toMatch(/^error/);
      server.use(onInternet(() => NXDOMAIN));
      clock.move(60_000);
      expect(await said(dns, "gone.example")).toBe("NXDOMAIN");
      expect(trust.trouble()).toBeNull();
    },
  );

  test("ask for the same two names that exist and for others that do not", async () => {
    const { dns, server, clock } = await judging(onInternet(() => NXDOMAIN));
    await said(dns, "gone.example");
    const first = server.questions.map(({ name, type }) => `${type} ${name.toLowerCase()}`);
    clock.move(TEN_MINUTES_MS);
    await said(dns, "gone.example");
    const second = server.questions
      .slice(first.length)
      .map(({ name, type }) => `${type} ${name.toLowerCase()}`);
    expect(first.filter((one) => second.includes(one)).toSorted()).toEqual([
      "A gone.example",
      "NS com",
      "NS org",
    ]);
  });

  test("do not hold up an answer for longer than half a second", async () => {
    const slow: TestScript = ({ name }) =>
      name.toLowerCase() === "www.lab" ? { answers: [addressRecord("192.0.2.1")] } : "silence";
    const { raw, dns } = await judging(slow);
    const startedMs = performance.now();
    expect(await said(dns, "www.lab")).toBe('NOERROR "192.0.2.1"');
    expect(performance.now() - startedMs).toBeLessThan(JUDGED_TIMEOUT_MS + 400);
    expect(raw.servers).toHaveLength(1);
  });

  test("leave a caller who hangs up alone", async () => {
    const { dns } = await judging(() => "silence");
    const leave = new AbortController();
    const answer = dns.query("www.example.com", "A", { signal: leave.signal });
    leave.abort();
    expect(await answer).toMatchObject({ state: "unavailable", reason: "timeout" });
  });
});

describe("several resolvers", () => {
  const honest = onInternet(({ type }) => (type === "A" ? { answers: [addressRecord("192.0.2.1")] } : {}));

  test.each(Object.entries(LIARS))(
    "those that tell the truth are asked in place of one that does not: %s",
    async (_, liar) => {
      const { dns, servers, trust } = await judging([liar, honest]);
      await said(dns, "warm-up.example");
      const before = servers[0]?.questions.length;
      expect(await said(dns, "www.example.com")).toBe('NOERROR "192.0.2.1"');
      expect(servers[0]?.questions.length).toBe(before);
      expect(trust.trouble()?.sentence).toMatch(/\(1 of 2 resolvers; the others are asked\)$/);
    },
  );
});
