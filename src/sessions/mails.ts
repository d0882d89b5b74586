import { HOUR_MS } from "../base/durations.ts";
import type { InvitationMail } from "./invitations.ts";
import { linkOf, PROOF_MS, resetLink } from "./reset.ts";
import type { ResetMail } from "./sessions.ts";
import type { SignUpMail } from "./sign-up.ts";

/** What is mailed to one address. */
export type Letter = { readonly to: string; readonly subject: string; readonly text: string };

/** The mail of a lost password. `base`: the service's own address. */
export const resetLetter = ({ email, token, lifeMs }: ResetMail, base: string): Letter => ({
  to: email,
  subject: "Set a new password",
  text:
    `We received a request for a new password for ${email}.\n\n` +
    `This link sets one. It opens once, within ${lifeText(lifeMs)} of the request:\n\n${resetLink(base, token)}\n\n` +
    "If it was not you, there is nothing to do: nothing changes until the link is used.\n",
});

/** The mail of a sign-up: the same for everybody who asks, another for each state of the address. */
export function signUpLetter(mail: SignUpMail, base: string): Letter {
  const { to } = mail;
  if (mail.kind === "reset") return resetLetter({ email: to, token: mail.token, lifeMs: PROOF_MS }, base);
  if (mail.kind === "exists") {
    return {
      to,
      subject: "You have an account already",
      text:
        `We received a sign-up with ${to}, and this address already has an account.\n\n` +
        `Sign in, or have a link for a new password sent:\n\n${base.replace(/\/+$/, "")}/app/sign-in\n\n` +
        "If it was not you, there is nothing to do: nothing has changed.\n",
    };
  }
  return {
    to,
    subject: "Open your account",
    text:
      `We received a sign-up with ${to}.\n\n` +
      "This link opens the account, with a password that you choose there. It opens once, within " +
      `${lifeText(PROOF_MS)} of the sign-up:\n\n${linkOf(base, "open", mail.token)}\n\n` +
      "If it was not you, there is nothing to do: without the link there is no account.\n",
  };
}

const MAY = {
  owner: "do everything, also invite people and pay",
  member: "look things up and make API keys",
  viewer: "read",
} as const;

/** The mail of an invitation: the link, or why there is none. */
export function invitationLetter(
  { to, role, account, invitedBy, token }: InvitationMail,
  base: string,
): Letter {
  const subject = `${invitedBy} invites you`;
  const what = `${invitedBy} invites ${to} to the account ${account} at ${base.replace(/\/+$/, "")}.\n\n`;
  const end = "If you did not expect this, there is nothing to do: nothing happens without you.\n";
  if (token === null) {
    const why =
      "This address signs in to another account there already, and an address signs in to one account. Ask for an " +
      "invitation of another address, or leave the other account first.\n\n";
    return { to, subject, text: what + why + end };
  }
  const may = `As ${role} you may ${MAY[role]}.\n\n`;
  const link = `This link asks for a password of your own. It opens once, within 7 days of the invitation:\n\n${linkOf(base, "join", token)}\n\n`;
  return { to, subject, text: what + may + link + end };
}

const lifeText = (ms: number): string => (ms === HOUR_MS ? "an hour" : `${ms / HOUR_MS} hours`);
