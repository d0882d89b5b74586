import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { startSmtpServer } from "../../../test/servers/smtp-server.ts";
import { systemClock } from "../../base/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/durations.ts";
import { createMail, MailFailure } from "./mail.ts";
import { createOutbox } from "./outbox.ts";

const MAIL = { to: "ann@example.com", subject: "Open your account", text: "a link" };

/** An outbox whose waits end when they begin; `meanwhile` is done in each. */
function openOutbox(url: string, meanwhile: (waits: readonly number[]) => unknown, more = {}) {
  const send = createMail(
    { smtp_url: url, from: null },
    { senderHost: "rep.example", caFile: null, ...more },
  );
  if (send === null) throw new Error("There is no mail");
  const waits: number[] = [];
  let nowMs = 0;
  const warnings: unknown[] = [];
  const clock = {
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
      waits.push(ms);
      await meanwhile(waits);
    },
  };
  const outbox = createOutbox({ send, clock, log: { warn: (entry: unknown) => warnings.push(entry) } });
  return { outbox, waits, warnings };
}

const outcomeOf = (sending: Promise<void>): Promise<unknown> =>
  sending.then(
    () => "sent",
    (error: unknown) => error,
  );

test.each([
  ["GREETING", "421 too busy"],
  ["GREETING", "554 no service"],
  ["EHLO", "421 closing"],
  ["MAIL", "451 try later"],
  ["MAIL", "550 the sender is not welcome"],
  ["RCPT", "450 greylisted"],
  ["RCPT", "452 mailbox full"],
  ["DATA", "421 closing"],
  ["DATA", "451 try later"],
  [".", "452 out of disk"],
])("a mail whose %s is answered with %s is sent again until it is taken", async (at, reply) => {
  let isOdd = true;
  let tries = 0;
  const smtp = await startSmtpServer({
    odd: (verb) => {
      if (verb === "GREETING") tries++;
      return isOdd && verb === at ? reply : undefined;
    },
  });
  const { outbox, waits, warnings } = openOutbox(smtp.url, ({ length }) => {
    isOdd = length < 2;
  });
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toBe("sent");
  expect([waits, tries, smtp.mails.length]).toEqual([[10_000, 20_000], 3, 1]);
  expect(warnings).toHaveLength(2);
  await smtp.close();
});

test.each([
  ["RCPT", "550 no such mailbox"],
  ["RCPT", "554 not for us"],
  ["DATA", "554 no"],
  [".", "554 this is spam"],
])("a mail whose %s is answered with %s is given up", async (at, reply) => {
  const smtp = await startSmtpServer({ odd: (verb) => (verb === at ? reply : undefined) });
  const { outbox, waits } = openOutbox(smtp.url, () => undefined);
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toBeInstanceOf(MailFailure);
  expect([waits, smtp.mails]).toEqual([[], []]);
  await smtp.close();
});

test.each(["GREETING", "EHLO", "MAIL", "RCPT", "DATA"])(
  "a mail whose %s is not answered is sent again",
  async (at) => {
    let isOdd = true;
    const smtp = await startSmtpServer({ odd: (verb) => (isOdd && verb === at ? null : undefined) });
    const { outbox, waits } = openOutbox(smtp.url, () => (isOdd = false), { stepMs: 2000 });
    expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toBe("sent");
    expect([waits[0], smtp.mails.length]).toEqual([10_000, 1]);
    await smtp.close();
  },
);

test.each([
  ["says nothing more", null],
  ["hangs up", "closed"],
])("a mail that a server has and %s is not sent again: it may have been taken", async (_, how) => {
  const smtp = await startSmtpServer({
    odd: (verb, socket) => {
      if (verb !== ".") return undefined;
      if (how === "closed") socket.destroy();
      return null;
    },
  });
  const { outbox, waits } = openOutbox(smtp.url, () => undefined, { stepMs: 2000 });
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toMatchObject({ isPassing: false });
  expect(waits).toEqual([]);
  await smtp.close();
});

test.each([
  ["GREETING", "220-well"],
  ["EHLO", "250-well"],
  ["RCPT", "250-well"],
])("a server that goes on answering %s without an end is left", async (at, line) => {
  let isOdd = true;
  const smtp = await startSmtpServer({
    odd: (verb, socket) => {
      if (!isOdd || verb !== at) return undefined;
      const more = setInterval(() => socket.write(`${line}\r\n`), 100);
      socket.on("close", () => clearInterval(more));
      return line;
    },
  });
  const { outbox, waits } = openOutbox(smtp.url, () => (isOdd = false), { wholeMs: 3000 });
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toBe("sent");
  expect(waits[0]).toBe(10_000);
  await smtp.close();
});

test("a mail is sent again when its server is there again, for as long as it is worth it", async () => {
  const port = await freePort();
  const url = `smtp://127.0.0.1:${port}`;
  const away = openOutbox(url, () => undefined);
  expect(await outcomeOf(away.outbox.send(MAIL, HOUR_MS))).toMatchObject({ isPassing: true });
  const total = away.waits.reduce((sum, ms) => sum + ms, 0);
  expect(Math.max(...away.waits)).toBe(15 * MINUTE_MS);
  expect(total).toBeGreaterThan(HOUR_MS - 15 * MINUTE_MS);
  expect(total).toBeLessThanOrEqual(HOUR_MS);
  // By whose caller it is sent again.
  expect(await outcomeOf(away.outbox.send(MAIL))).toMatchObject({ isPassing: true });
  const servers: Awaited<ReturnType<typeof startSmtpServer>>[] = [];
  const { outbox } = openOutbox(url, async ({ length }) => {
    if (length === 3) servers.push(await startSmtpServer({ port }));
  });
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toBe("sent");
  expect(servers.map(({ mails }) => mails.length)).toEqual([1]);
  for (const server of servers) await server.close();
});

test("a mail that could not be made for now is made again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const caFile = join(folder, "ca.pem");
  const smtp = await startSmtpServer();
  // First its text, as while the database is away, then by the operator's file of authorities.
  let made = 0;
  const { outbox, waits } = openOutbox(
    smtp.url,
    ({ length }) => length === 2 && writeFileSync(caFile, rootCertificates.slice(0, 1).join("\n")),
    { caFile },
  );
  const make = async () => {
    made++;
    if (made === 1) throw new Error("Connection terminated");
    return MAIL;
  };
  expect(await outcomeOf(outbox.send(make, HOUR_MS))).toBe("sent");
  expect([made, waits, smtp.mails.length]).toEqual([3, [10_000, 20_000], 1]);
  expect(await outcomeOf(outbox.send(() => Promise.reject(new Error("gone"))))).toMatchObject({
    message: "gone",
  });
  await smtp.close();
});

test("a thousand mails are kept, also while one is tried again, and none once it ends", async () => {
  let reply: string | null = "421 too busy";
  const silent: Socket[] = [];
  const smtp = await startSmtpServer({
    odd: (verb, socket) => {
      if (verb !== "GREETING") return undefined;
      if (reply === null) silent.push(socket);
      return reply;
    },
  });
  const send = createMail({ smtp_url: smtp.url, from: null }, { senderHost: "rep.example", caFile: null });
  if (send === null) throw new Error("There is no mail");
  const ends: (() => void)[] = [];
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      ends.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const outbox = createOutbox({ send, clock: { ...systemClock, sleep }, log: { warn: () => undefined } });
  const kept = Array.from({ length: 1000 }, () => outcomeOf(outbox.send(MAIL, HOUR_MS)));
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await systemClock.sleep(5);
  };
  await until(() => ends.length === kept.length);
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toMatchObject({ isPassing: true });
  reply = null;
  ends[0]?.();
  await until(() => silent.length === 1);
  reply = "421 too busy";
  expect(await outcomeOf(outbox.send(MAIL, HOUR_MS))).toMatchObject({ isPassing: true });
  for (const socket of silent) socket.destroy();
  await until(() => ends.length === kept.length + 1);
  outbox.end();
  for (const one of await Promise.all(kept)) expect(one).toBeInstanceOf(MailFailure);
  // What was given up makes room.
  const { length } = ends;
  void outcomeOf(outbox.send(MAIL, HOUR_MS));
  await until(() => ends.length > length);
  await smtp.close();
});
