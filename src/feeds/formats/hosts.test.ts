import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import { hosts } from "./hosts.ts";

/** The names of a text in the form of a hosts file; what was not understood behind a `!`. */
const values = (text: string): string[] =>
  [...hosts.parse(feedTextOf(Buffer.from(text)), {})].flatMap((entry) =>
    "value" in entry ? [entry.value] : "dropped" in entry ? [`! ${entry.dropped}`] : [],
  );

describe("hosts", () => {
  test.each(["ip6-check.example", "www.ip6-loopback.example", "localhost.bad.example", "ip6.example"])(
    "takes %s, which is no local name",
    (name) => expect(values(`0.0.0.0 ${name}\n:: ${name}\n`)).toEqual([name, name]),
  );

  test.each(["ip6-localhost", "IP6-mcastprefix", "ip6-allhosts", "localhost6", "localhost6.localdomain6"])(
    "passes the local name %s over behind any address",
    (name) => expect(values(`::1 ${name}\nfe00::0 ${name}\n`)).toEqual([]),
  );

  test.each(["0", "::0", "0:0:0:0:0:0:0:0", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])(
    "knows %s as another spelling of a sink",
    (address) => expect(values(`${address} bad.example\n`)).toEqual(["bad.example"]),
  );

  test.each(["1", "00", "127.0.1.1", "::2", "0.0.0.0/0"])("knows %s as no sink", (address) =>
    expect(values(`${address} bad.example\n`)).toEqual([`! ${address} bad.example`]),
  );

  test("takes the names behind a sink and passes local names over", () => {
    const text =
      "127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 0.0.0.0\nff02::1 ip6-allnodes\n" +
      "0.0.0.0 bad.example\n127.0.0.1\tworse.example www.worse.example # scam\n192.0.2.1 real.example\n";
    expect(values(text)).toEqual([
      "bad.example",
      "worse.example",
      "www.worse.example",
      "! 192.0.2.1 real.example",
    ]);
  });
});
