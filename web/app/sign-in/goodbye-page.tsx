import { Link, Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { useSession } from "../session.tsx";
import { Frame } from "./frame.tsx";

/** The e-mail address of the account that this browser deleted, as the page before left it; null: it came here by itself. */
function deletedOf(state: unknown): string | null {
  const email: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "deleted") : null;
  return typeof email === "string" ? email : null;
}

/** Says that an account is deleted, once it is. */
export function GoodbyePage() {
  const email = deletedOf(useHistoryState());
  const session = useSession().data;
  if (email === null) return <Redirect to="/" replace />;
  return (
    <Frame title="Account deleted">
      <p>
        <strong>{email}</strong> and everything stored with it are deleted. Its API keys and sessions no
        longer work. Removing a long call history may take a few minutes.
      </p>
      {session?.signup === "open" && (
        <p>
          You can <Link href="/sign-up">sign up</Link> again with the same address.
        </p>
      )}
      <p>
        <a href="/">Back to the public pages</a>
      </p>
    </Frame>
  );
}
