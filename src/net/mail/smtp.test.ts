import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { a, createDialing, zone } from "../../../test/servers/dialing.ts";
import { startTcpServer } from "../../../test/servers/tcp-server.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { createSmtpCheck } from "./smtp.ts";

/** Asks a mail host that behaves like `talk` about bob@firm.test. */
async function ask(talk: (socket: Socket) => void, timeoutMs = 400, local = "bob") {
  const server = await startTcpServer({ onConnection: talk });
  const { dialer } = await createDialing({ script: zone({ "mx.firm.test": [a("127.0.0.1")] }) });
  const check = createSmtpCheck({ dialer, clock: systemClock, random: systemRandom, port: server.port });
  const verdict = await check({
    hosts: ["mx.firm.test"],
    local,
    domain: "firm.test",
    timeoutMs,
    signal: new AbortController().signal,
  });
  return { verdict, server };
}

/** A mail server that answers each line by its verb. */
const host =
  (replies: (line: string) => string, greeting = "220 mx.firm.test\r\n") =>
  (socket: Socket): void => {
    let rest = "";
    socket.write(greeting);
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(replies(line));
    });
  };

const mailboxes =
  (bob: string, others: string) =>
  (line: string): string => {
    if (!line.startsWith("RCPT")) return "250-mx.firm.test\r\n250 SIZE\r\n";
    return line.includes("<bob@") ? bob : others;
  };

describe("an honest server", () => {
  test.each([
    ["250 ok\r\n", "550 5.1.1 no such user\r\n", { outcome: "deliverable", isCatchAll: false, code: 250 }],
    ["250 ok\r\n", "250 ok\r\n", { outcome: "catch_all", isCatchAll: true, code: 250 }],
    ["550-5.1.1 no\r\n550 such user\r\n", "", { outcome: "undeliverable", isCatchAll: false, code: 550 }],
    ["451 later\r\n", "", { outcome: "greylisted", isCatchAll: null, code: 451 }],
    ["550 5.7.1 your network is on our list\r\n", "", { outcome: "unknown", isCatchAll: null, code: 550 }],
    [
      "550-5.7.606 banned\r\n550 sending address\r\n",
      "",
      { outcome: "unknown", isCatchAll: null, code: 550 },
    ],
    ["553 5.1.3 no such syntax\r\n", "", { outcome: "undeliverable", isCatchAll: false, code: 553 }],
    ["250 2.1.5 ok\r\n", "550 5.7.1 not now\r\n", { outcome: "deliverable", isCatchAll: null, code: 250 }],
    ["554 go away\r\n", "", { outcome: "unknown", isCatchAll: null, code: 554 }],
  ])("that says %j, and %j to others", async (bob, others, expected) => {
    expect((await ask(host(mailboxes(bob, others)), 10_000)).verdict).toEqual(expected);
  });

  test.each([
    "550 JunkMail rejected - (check.invalid) [203.0.113.9]:5555 is in an RBL: see https://lists.example",
    "550 rejected because 203.0.113.9 is in a black list at bl.example",
    "550-Your host is listed.\r\n550 Ask the administrator",
    "550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)",
    "553 sorry, blocked using bl.example",
    "550 blocklisted",
    "550 Administrative prohibition",
    "550 no PTR record",
    "550 sender verify failed",
    "550 5.5.1 We do not accept null senders (callback verification)",
    "550 Sender address does not exist",
    "550 5.1.8 Domain does not resolve",
    "550 5.1.7 address has no mail host",
    "550 5.4.5 daily limit",
    "550 5.3.4 message too big",
    "550 5.2.2 over quota",
    "550 mailbox is full",
    "550 Too many invalid recipients, try later",
    "550 You must use TLS to send mail to this domain",
    "550 SMTP AUTH required",
    "550 SPF check failed",
    "550 Cannot find your hostname, [203.0.113.9]",
    "550 dynamic IP addresses are not allowed to send mail here",
    "550 IP address not found in DNS",
    "550 rejected: poor reputation",
    "550 Message rejected as spam",
    "550 Connection denied. https://help.example",
    "550 Mail content denied",
    "550 Ihre IP-Adresse steht auf einer Sperrliste",
    "550 votre serveur est sur liste noire",
    "550 IP 黑名单",
    "550 IP в чёрном списке",
  ])("that refuses us and says no enhanced code, as %j, says nothing of the mailbox", async (bob) => {
    const { verdict } = await ask(host(mailboxes(`${bob}\r\n`, "")), 10_000);
    expect(verdict).toMatchObject({ outcome: "unknown", isCatchAll: null });
  });

  test.each([
    "550 no such user",
    "550 5.1.1 <bob@firm.test>: Recipient address rejected: User unknown in local recipient table",
    "550 <helo@blacklist.example>: no such user",
    "550-no such user:\r\n550 rbl@spamhaus.example",
    "550 relay not permitted",
    "550 Relay access denied",
    "551 User not local",
    "553 sorry, that domain isn't in my list of allowed rcpthosts",
    "550 Mailbox unavailable",
    "550 5.1.1 <spf@firm.test>: user unknown, try again later",
    "550 5.1.0 Address rejected",
    "550 5.1.6 mailbox has moved",
    "550 5.1.10 recipient not found",
    "550 5.2.1 The mailbox is disabled",
    "550 5.3.0 no such user",
    "550 5.4.1 recipient bob does not exist",
    "550 5.0.0 unknown user",
    "550 Invalid recipient [203.0.113.9]",
    "550-5.1.1 The email account that you tried to reach does not\r\n550 5.1.1 exist. See https://help.example/spam",
    "550 Benutzer unbekannt",
    "550 не существует",
  ])("that does not know the mailbox, as %j", async (bob) => {
    const { verdict } = await ask(host(mailboxes(`${bob}\r\n`, "")), 10_000);
    expect(verdict).toMatchObject({ outcome: "undeliverable", isCatchAll: false });
  });

  test.each([
    "450 later",
    "452 4.5.3 too many recipients",
    "421 bye",
    "550 5.7.1 not now",
    "550 you are in an RBL",
    "554 go away",
    "500 what?",
  ])("that takes the mailbox and says %j to others may take mail for all", async (others) => {
    const { verdict } = await ask(host(mailboxes("250 ok\r\n", `${others}\r\n`)), 10_000);
    expect(verdict).toEqual({ outcome: "deliverable", isCatchAll: null, code: 250 });
  });

  const inUtf8 =
    (extensions: string, bob: string) =>
    (line: string): string => {
      if (line.startsWith("EHLO")) return `250-mx.firm.test\r\n${extensions}250 SIZE\r\n`;
      if (line.startsWith("MAIL")) return line.endsWith("> SMTPUTF8") ? "250 ok\r\n" : "250 plain\r\n";
      if (!line.startsWith("RCPT")) return "250 ok\r\n";
      return line.includes("<jürgen@") ? `${bob}\r\n` : "550 5.1.1 no such user\r\n";
    };

  test.each([
    ["", "553 5.6.7 ASCII only", "unknown"],
    ["", "550 address is not valid", "unknown"],
    ["250-SMTPUTF8\r\n", "553 5.6.7 ASCII only", "unknown"],
    ["250-smtputf8\r\n", "250 ok", "deliverable"],
    ["250-SMTPUTF8\r\n", "550 5.1.1 no such user", "undeliverable"],
  ])("with the extensions %j that says %j of a mailbox in UTF-8", async (extensions, bob, outcome) => {
    const { verdict } = await ask(host(inUtf8(extensions, bob)), 10_000, "jürgen");
    expect(verdict.outcome).toBe(outcome);
  });

  test("is told that an address is in UTF-8, and only then", async () => {
    const lines: string[] = [];
    const noting = (line: string) => {
      lines.push(line);
      return inUtf8("250-SMTPUTF8\r\n", "250 ok")(line);
    };
    await ask(host(noting), 10_000, "jürgen");
    await ask(host(noting), 10_000, "bob");
    expect(lines.filter((line) => line.startsWith("MAIL"))).toEqual([
      "MAIL FROM:<> SMTPUTF8",
      "MAIL FROM:<>",
    ]);
  });

  test("whose replies come octet by octet", async () => {
    const slow = (socket: Socket) => {
      const write = socket.write.bind(socket);
      let turn = Promise.resolve();
      const drip = (text: string) => {
        for (const sign of text) {
          turn = turn.then(async () => {
            write(sign);
            await sleep(1);
          });
        }
        return true;
      };
      Object.assign(socket, { write: drip });
      host(mailboxes("250 ok\r\n", "550 no\r\n"))(socket);
    };
    expect((await ask(slow, 20_000)).verdict.outcome).toBe("deliverable");
  });
});

const endless = (text: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", more);
  more();
};

const UNKNOWN = { outcome: "unknown", isCatchAll: null, code: null };

describe("a hostile server says nothing of the mailbox, in time, and is let go:", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["silence", (socket) => socket.resume()],
    ["one line without an end", endless("A".repeat(65_536))],
    ["a reply without an end", endless("220-more\r\n".repeat(1000))],
    ["replies without an end", endless("220 more\r\n".repeat(1000))],
    ["a line that drips", (socket) => void dripFor(socket)],
    ["a greeting, then a reset", (socket) => socket.write("220 hi\r\n", () => socket.resetAndDestroy())],
    ["a greeting, then the end", (socket) => socket.resume().end("220 hi\r\n")],
    ["a greeting, then silence", (socket) => socket.resume().write("220 hi\r\n")],
    ["no digits", host(() => "hello\r\n")],
    ["signs before the code", host(() => "\x1b[31m250 ok\r\n")],
    ["a line that is too long", host(() => `250 ${"x".repeat(2000)}\r\n`)],
    ["a reply that says yes and no", host(mailboxes("250-ok\r\n550 no such user\r\n", ""))],
    ["a reply that says no and yes", host(mailboxes("550-no such user\r\n250 ok\r\n", ""))],
    ["a reply that says two kinds of no", host(mailboxes("550-5.1.1 no such\r\n451 user\r\n", ""))],
    ["no code there is", host(mailboxes("650 no such user\r\n", ""))],
    ["a code of a web server", host(mailboxes("100 continue\r\n", ""))],
    ["answers before the questions", host(() => "550 no\r\n", `220 hi\r\n${"250 ok\r\n".repeat(4)}`)],
    ["two answers to each question", host(mailboxes("250 ok\r\n550 no such user\r\n", "250 ok\r\n"))],
    ["a refusal to talk", host(() => "250 ok\r\n", "554 not you\r\n")],
  ])("%s", async (_, talk) => {
    const { verdict, server } = await ask(talk);
    expect(verdict).toEqual(UNKNOWN);
    await expect.poll(() => server.open()).toBe(0);
  });
});

async function dripFor(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write("2");
    await sleep(20);
  }
}
