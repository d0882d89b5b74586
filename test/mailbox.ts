import { systemClock } from "../src/base/clock.ts";
import { startSmtpServer, type TestSmtp } from "./servers/smtp-server.ts";

/** What a mail server of the tests has taken. */
export type Mailbox = Pick<TestSmtp, "mails">;

type Sections = Readonly<Record<string, unknown>>;

/** The sections with a mail server on loopback where strangers may sign up and none is named; null: none was started. */
export async function withMailServer(
  file: Sections = {},
): Promise<{ readonly file: Sections; readonly smtp: TestSmtp | null }> {
  if (!isSignUpOpen(file["dashboard"]) || file["mail"] !== undefined) return { file, smtp: null };
  const smtp = await startSmtpServer();
  return { file: { ...file, mail: { smtp_url: smtp.url } }, smtp };
}

const isSignUpOpen = (section: unknown): boolean =>
  typeof section === "object" && section !== null && Reflect.get(section, "signup") === "open";

/** Lines as they were before they were cut for the journey (RFC 2045 6.7). */
export const plainText = (text: string): string => text.replace(/=\n/g, "").replaceAll("=3D", "=");

/** The mails to an address, once there are as many. */
export async function mailsTo({ mails }: Mailbox, email: string, count = 1): Promise<readonly string[]> {
  for (;;) {
    const found = mails.filter(({ to }) => to.includes(email)).map(({ text }) => plainText(text));
    if (found.length >= count) return found;
    await systemClock.sleep(5);
  }
}

/** The token in a mail's link to a page of `/app`; empty: it has none. */
export const tokenIn = (text: string | undefined, page: "open" | "reset" | "join"): string =>
  new RegExp(`/app/${page}#token=([A-Za-z0-9_-]{43})\\s`).exec(text ?? "")?.[1] ?? "";
