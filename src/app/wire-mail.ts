import { DAY_MS, MINUTE_MS } from "../base/durations.ts";
import type { DashboardParts } from "../http/dashboard/parts.ts";
import { createMail } from "../net/mail/mail.ts";
import { createOutbox, type Outbox } from "../net/mail/outbox.ts";
import { invitationLetter, resetLetter, signUpLetter } from "../sessions/mails.ts";
import { PROOF_MS } from "../sessions/reset.ts";
import type { DashboardWiring } from "./wire-dashboard.ts";

/** What is left of a link's life for its reader when its mail leaves late. */
const TIME_TO_OPEN_MS = 30 * MINUTE_MS;

/** The service's mail; null: there is none. */
export type MailParts = {
  readonly outbox: Outbox;
  readonly post: NonNullable<DashboardParts["post"]>;
} | null;

/** By the operator's mail server. */
export function openMail(wiring: Pick<DashboardWiring, "config" | "clock" | "log" | "address">): MailParts {
  const { config, clock, log } = wiring;
  const { public_url: publicUrl } = config.file.server;
  const senderHost = publicUrl === null ? "localhost" : new URL(publicUrl).hostname;
  const send = createMail(config.file.mail, { senderHost, caFile: config.file.fetch.ca_file });
  if (send === null) return null;
  const outbox = createOutbox({ send, clock, log });
  const base = baseOf(wiring);
  const post = {
    reset: (mail) => outbox.send(resetLetter(mail, base()), mail.lifeMs - TIME_TO_OPEN_MS),
    signUp: (mail) => outbox.send(signUpLetter(mail, base()), PROOF_MS - TIME_TO_OPEN_MS),
    invite: (issue) =>
      outbox.send(async () => {
        const mail = await issue();
        return mail && invitationLetter(mail, base());
      }, DAY_MS),
  } satisfies DashboardParts["post"];
  return { outbox, post };
}

/** The service's own address, as links name it. */
export const baseOf =
  ({ config, address }: Pick<DashboardWiring, "config" | "address">) =>
  (): string =>
    config.file.server.public_url ?? address();
