import type { TestQuestion, TestReply, TestScript } from "./dns-server.ts";

const NXDOMAIN: TestReply = { rcode: 3 };
/** What a liar gives for everything. */
export const PORTAL = "198.51.100.80";

const addressOf = (data: string): TestReply => ({ answers: [{ type: "A", data }] });
const soaOf = (name: string): TestReply => ({
  ...NXDOMAIN,
  authorities: [{ type: "SOA", name, data: { mname: "a", rname: "b", serial: 1, minimum: 60 } }],
});

let turn = 0;

/** Resolvers that say the same to every question. */
export const LIARS: Readonly<Record<string, TestScript>> = {
  "NXDOMAIN to all": () => NXDOMAIN,
  "NXDOMAIN to all, as a false root": () => soaOf("."),
  "NXDOMAIN to all, as the parent of every name": ({ name }) =>
    soaOf(name.toLowerCase().split(".").slice(1).join(".") || "."),
  "no records to all": () => ({}),
  "one address to all": () => addressOf(PORTAL),
  "one address to A, nothing else": ({ type }) => (type === "A" ? addressOf(PORTAL) : {}),
  "one address to A, NXDOMAIN to the others": ({ type }) => (type === "A" ? addressOf(PORTAL) : NXDOMAIN),
  "one address of each family": ({ type }) =>
    type === "AAAA" ? { answers: [{ type, data: "2001:db8::80" }] } : addressOf(PORTAL),
  "an alias to a portal": ({ type }) => ({
    answers: [
      { type: "CNAME", data: "portal.example" },
      ...(type === "A" ? [{ type, name: "portal.example", data: PORTAL }] : []),
    ],
  }),
  "addresses in turn": ({ type }) => (type === "A" ? addressOf(`198.51.100.${turn++ % 250}`) : NXDOMAIN),
};

/** Resolvers that answer nothing at all. */
export const FAILING: Readonly<Record<string, TestScript>> = {
  "SERVFAIL to all": () => ({ rcode: 2 }),
  "REFUSED to all": () => ({ rcode: 5 }),
  silence: () => "silence",
};

const isProbe = (name: string): boolean => /(^|\.)r[0-9a-f]{20}\.(invalid|com|net|org)$/.test(name);

/** The same resolver on the Internet: it knows two top-level domains, and no name that does not exist. */
export const onInternet =
  (script: TestScript): TestScript =>
  (question: TestQuestion) => {
    const name = question.name.toLowerCase();
    if ((name === "com" || name === "org") && question.type === "NS") {
      return { answers: [{ type: "NS", data: "a.gtld-servers.example" }] };
    }
    return isProbe(name) ? soaOf(name.split(".").at(-1) ?? "") : script(question);
  };
