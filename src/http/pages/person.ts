import { csrfTokenOf } from "../../sessions/tokens.ts";
import type { HttpParts, Request } from "../context.ts";
import { readSession } from "../dashboard/admit-session.ts";

/** Who reads a public page signed in, and may look things up there at the price of credits. */
export type Visitor = {
  readonly email: string;
  /** Goes along with every form that costs something. */
  readonly csrf_token: string;
};

/** Reads the session of a public page, which is shown to strangers too: also while the database is away. */
export async function readPerson(parts: HttpParts, request: Request): Promise<void> {
  try {
    await readSession(parts, request);
  } catch (error) {
    if (!parts.isDatabaseUnavailable(error)) throw error;
  }
}

/** The person of a request whose session was read; null for a stranger, and for a session that only reads. */
export function personOf({ state: { session, sessionToken } }: Request): Visitor | null {
  if (session === null || session.person === null || session.person.role === "viewer") return null;
  return { email: session.person.email, csrf_token: csrfTokenOf(sessionToken) };
}

/** Where strangers are sent when the tools are closed. */
export const SIGN_IN = "/app";

/** Whether the tools are for who is signed in, and the request is a stranger's. */
export const isClosedTo = ({ site }: HttpParts, request: Request): boolean =>
  site.reports === "off" && personOf(request) === null;
