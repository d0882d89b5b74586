import { z } from "zod";

/** The operator's `mail:`. Source: design 15. */
export const mailOptionsSchema = z.strictObject({
  smtp_url: z
    .url({ protocol: /^smtps?$/, error: "Expected an smtp: or smtps: URL" })
    .nullable()
    .default(null)
    .describe("Mail server that takes the service's mail; without one a lost password needs the operator"),
  from: z
    .string()
    .regex(/^[^\r\n]{0,200}<?[^\s@<>]+@[^\s@<>]+>?$/, "Expected an e-mail address, or a name and <address>")
    .nullable()
    .default(null)
    .describe("Sender of the service's mail; default: repute@ the host of server.public_url"),
});

export type MailOptions = z.infer<typeof mailOptionsSchema>;

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Hands a mail to the operator's server. Rejects when that does not take it. */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MS = 15_000;

/**
 * A sender by the operator's own mail server, which it dials by itself; null without one. The library is loaded with the
 * first mail. `host` is what the sender's address is made of where none is configured.
 */
export function createMail({ smtp_url: url, from }: MailOptions, host: string): SendMail | null {
  if (url === null) return null;
  const sender = from ?? `Repute <repute@${host}>`;
  return async ({ to, subject, text }) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A mail is text of ours: nothing in it may name a file or an address to be fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      // As an object: an address with a comma must not become two.
      await transport.sendMail({ from: sender, to: { name: "", address: to }, subject, text });
    } finally {
      transport.close();
    }
  };
}
