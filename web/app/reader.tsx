import { Notice } from "../ui/states.tsx";
import { useAccount } from "./session.tsx";

/** Says on every page what a session cannot do that only reads. */
export function ReaderNotice() {
  const { is_reader: isReader, has_password: hasPassword, person } = useAccount();
  if (!isReader) return null;
  if (person !== null) return <ViewerNotice />;
  return (
    <Notice kind="warn">
      <p>
        You signed in with an API key, which can only read here. To look things up or change anything, sign
        out and sign in with your e-mail address and password.
        {!hasPassword &&
          " This account has no password yet: the person who runs this installation can make a link that sets one with "}
        {!hasPassword && <code>repute account reset-password</code>}
        {!hasPassword && "."}
      </p>
    </Notice>
  );
}

const ViewerNotice = () => (
  <Notice kind="note">
    <p>
      You are a viewer of this account: you see everything and change nothing. To look things up, ask one of
      its owners for another role.
    </p>
  </Notice>
);
