import { isoDay } from "../base/clock.ts";
import type { Letter } from "../sessions/mails.ts";
import type { Client } from "../sessions/session-store.ts";

/** What the mails about an account have in common: their addressee, and the service's own address. */
export type Addressee = { readonly to: string; readonly base: string };

const pageOf = (base: string, path: string): string => `${base.replace(/\/+$/, "")}/app${path}`;

const ending = (base: string): string =>
  `\nWhich mails you get is set here:\n\n${pageOf(base, "/settings")}\n`;

export type LowCredits = {
  readonly credits: number;
  readonly granted: number;
  readonly resetAt: Date;
};

export const creditsLetter = (
  { credits, granted, resetAt }: LowCredits,
  { to, base }: Addressee,
): Letter => ({
  to,
  subject: credits === 0 ? "No credits are left" : "Few credits are left",
  text:
    `${credits} of ${granted} credits are left. ` +
    "When none is left, calls are answered with 402 and nothing is charged.\n\n" +
    `The balance is refilled on ${isoDay(resetAt)}. Plan and usage:\n\n${pageOf(base, "/usage")}\n` +
    ending(base),
});

export const signInLetter = (
  { client, at }: { readonly client: Client; readonly at: Date },
  { to, base }: Addressee,
): Letter => ({
  to,
  subject: "Sign-in from a new network",
  text:
    `A sign-in to ${to} on ${at.toISOString().slice(0, 16).replace("T", " ")} UTC ` +
    `from ${client.address}, a network that this account had not been used from.\n\n` +
    "If it was you, there is nothing to do. If not, change the password; that ends every other session:\n\n" +
    `${pageOf(base, "/settings")}\n` +
    ending(base),
});

/** Why a source is not well, in the words of the Feeds page. */
export type SourceTrouble = { readonly key: string; readonly name: string; readonly detail: string };

/** One mail names at most so many. */
const MAX_NAMED = 20;

export const sourcesLetter = (troubles: readonly SourceTrouble[], { to, base }: Addressee): Letter => {
  const lines = troubles.slice(0, MAX_NAMED).map(({ key, name, detail }) => `- ${name} (${key}): ${detail}`);
  const more = troubles.length - lines.length;
  return {
    to,
    subject: troubles.length === 1 ? "A source is failing" : `${troubles.length} sources are failing`,
    text:
      "For the whole of yesterday there was nothing new from:\n\n" +
      `${lines.join("\n")}${more > 0 ? `\n- ${more} more` : ""}\n\n` +
      "Answers name them among the engines that did not answer, and never count them as clean. " +
      `What to check:\n\n${pageOf(base, "/feeds")}\n` +
      ending(base),
  };
};
