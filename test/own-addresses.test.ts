import { expect, test } from "vitest";
import { whyNot } from "../chaos/needs.ts";
import { runInNamespace } from "./namespace.ts";

const ADDRESSES = ["8.8.4.4/32", "9.9.9.1/24", "2606:4700::1111/128"];

test.runIf(whyNot(["namespace"]) === null)(
  "no outgoing client sends a byte to an address of this machine, unless the operator opened or configured it",
  () => {
    const blocked = { result: "blocked: self", isHeard: false };
    const refused = { result: "refused: The host leads to this machine itself", isHeard: false };
    expect(runInNamespace("own-addresses-lab.ts", { addresses: ADDRESSES })).toEqual({
      "page 8.8.4.4": blocked,
      "page [::ffff:8.8.4.4]": blocked,
      "page [64:ff9b::808:404]": { ...blocked, result: "blocked: private_address" },
      "page [2002:808:404::1]": blocked,
      "page own.lab": blocked,
      "page 9.9.9.77": blocked,
      "page rest.lab": blocked,
      "page [2606:4700::1111]": blocked,
      "redirect to 8.8.4.4": blocked,
      "certificate look": { result: "blocked", isHeard: false },
      "http client": refused,
      "whois referral": refused,
      "mail check": { result: "unknown", isHeard: false },
      "address not yet read": refused,
      "opened page": { result: "ok", isHeard: true },
      "opened redirect": { result: "ok", isHeard: true },
      "operator's http": { result: "answered", isHeard: true },
      "operator's whois": { result: "answered", isHeard: true },
    });
  },
);
