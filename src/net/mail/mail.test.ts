import { describe, expect, test } from "vitest";
import { mailOptionsSchema, readMailServer } from "./mail.ts";

describe("readMailServer()", () => {
  test.each([
    ["smtp://127.0.0.1", "IPv4 loopback"],
    ["smtp://127.1.2.3:2525", "all of 127.0.0.0/8"],
    ["smtp://[::1]:25", "IPv6 loopback"],
    ["smtp://[::ffff:127.0.0.1]", "mapped loopback"],
    ["smtp://user:password@localhost", "the reserved name"],
    ["smtp://LOCALHOST", "the reserved name in capitals"],
  ])("%s may do without TLS: %s", (url) => {
    expect(readMailServer(url)?.security).toBe("optional");
  });

  test.each([
    ["smtp://mail.example.com", "a name"],
    ["smtp://10.0.0.25", "a private address"],
    ["smtp://[fd00::25]", "a private IPv6 address"],
    ["smtp://localhost.example.com", "a name that begins like the reserved one"],
    ["smtp://mail.localhost", "a name below the reserved one, which a resolver may answer"],
    ["smtp://localhost.", "a spelling that is not the reserved name"],
    ["smtp://127.1", "no address in our spelling"],
    ["smtp://2130706433", "a number"],
    ["smtp://0.0.0.0", "this network"],
    ["smtp://[::127.0.0.1]", "loopback inside a compatible address"],
    ["smtp://localhost%2eexample.com", "an escaped name"],
    ["smtp://127.0.0.1@mail.example.com", "loopback as user"],
    ["smtp://mail.example.com:25", "the port of servers"],
  ])("%s needs STARTTLS: %s", (url) => {
    expect(readMailServer(url)?.security).toBe("starttls");
  });

  test("smtps: is TLS from the first byte, also on loopback", () => {
    expect(readMailServer("smtps://mail.example.com")?.security).toBe("tls");
    expect(readMailServer("smtps://localhost")?.security).toBe("tls");
  });

  test("reads host, port, user and password", () => {
    expect(readMailServer("smtp://a%40b.example:p%2Fw%3A@Mail.example.com:2525/")).toEqual({
      host: "mail.example.com",
      port: 2525,
      auth: { user: "a@b.example", pass: "p/w:" },
      security: "starttls",
    });
    expect(readMailServer("smtps://[2001:db8::1]")).toEqual({
      host: "2001:db8::1",
      port: null,
      auth: null,
      security: "tls",
    });
  });

  test.each([
    ["smtp://mail.example.com?requireTLS=false", "an option that turns TLS off"],
    ["smtp://mail.example.com?tls.rejectUnauthorized=false", "an option that turns verification off"],
    ["smtp://mail.example.com/?host=evil.example", "an option that names another host"],
    ["smtp://mail.example.com/path", "a path"],
    ["smtp://mail.example.com#x", "a fragment"],
    ["smtp:mail.example.com", "no host"],
    ["smtp://", "no host"],
    ["smtp://user:%ff@mail.example.com", "an escape that is not UTF-8"],
    ["smtp://user:100%@mail.example.com", "a percent sign alone"],
  ])("refuses %s in the configuration: %s", (url) => {
    expect(mailOptionsSchema.safeParse({ smtp_url: url }).success).toBe(false);
  });
});
