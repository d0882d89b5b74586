import { expect, test } from "vitest";
import { whyNot } from "../chaos/needs.ts";
import { runInNamespace } from "./namespace.ts";

const ALL = ["credentials", "link", "address"];
const MUST =
  /^Cannot send mail through "[a-z.]+:PORT", which must offer TLS 1\.2 or newer with a trusted certificate: ./;

test.runIf(whyNot(["namespace"]) === null)(
  "mail leaves through TLS 1.2 or newer or not at all, except to a server on loopback",
  () => {
    const hosts = { "www.example.com": "8.8.4.4", "near.example": "127.0.0.1" };
    const secured = { error: null, clear: [], secured: ALL };
    const inClear = { error: null, clear: ALL, secured: [] };
    const nothing = { error: expect.stringMatching(MUST), clear: [], secured: [] };
    expect(runInNamespace("mail-lab.ts", { addresses: ["8.8.4.4/32"], hosts })).toEqual({
      STARTTLS: secured,
      "STARTTLS without credentials": { ...secured, secured: ["link", "address"] },
      smtps: secured,
      "no STARTTLS": nothing,
      "no STARTTLS, no credentials": nothing,
      "STARTTLS is removed on the way": nothing,
      "STARTTLS is refused": nothing,
      "words in clear behind the reply to STARTTLS": secured,
      "EHLO is refused": nothing,
      "a server that greets in clear where TLS is expected": nothing,
      "an expired certificate": nothing,
      "a certificate of another name": nothing,
      "a certificate of no authority": nothing,
      "smtps with a certificate of no authority": nothing,
      "TLS 1.1": nothing,
      "smtps with TLS 1.1": nothing,
      "a name that leads to loopback": nothing,
      "127.0.0.1": inClear,
      "127.9.9.9": inClear,
      "[::1]": inClear,
      localhost: inClear,
      "localhost with STARTTLS": secured,
    });
  },
);
