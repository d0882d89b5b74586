import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { dashboard } from "../api/dashboard.ts";
import { Button } from "../ui/button.tsx";
import { countOf } from "../ui/format.ts";
import { Failure, Notice } from "../ui/states.tsx";
import { useAccount, useSession } from "./session.tsx";
import { areFew } from "./settings/few-codes.ts";

/** What the account wants of its owner, above every page. */
export function AccountNotices() {
  const { is_proved: isProved, person, recovery_codes_left: left } = useAccount();
  return (
    <>
      {!isProved && <ProveAddress />}
      {left !== null && areFew(left) && person !== null && (
        <Notice kind="warn">
          <p>
            {left === 0
              ? "You have no recovery code left"
              : `You have only ${countOf(left, "recovery code")} left`}
            . <Link href="/settings">Make new ones in Settings</Link>
          </p>
        </Notice>
      )}
    </>
  );
}

function ProveAddress() {
  const { email } = useAccount();
  const hasMail = useSession().data?.has_mail === true;
  const request = useMutation({ mutationFn: () => dashboard.requestReset({ email }) });
  return (
    <Notice kind="warn">
      <p>
        The address <strong>{email}</strong> is not confirmed yet. Until it is, this account has no credits,
        no API keys and no authenticator. A mailed link confirms it and sets a new password. It revokes the
        API keys made so far.
      </p>
      {request.error !== null && <Failure error={request.error} isInline />}
      {!hasMail && <p>This installation sends no mail: ask your administrator for a link.</p>}
      {hasMail && request.isSuccess && <p role="status">The link is on its way.</p>}
      {hasMail && !request.isSuccess && (
        <Button isBusy={request.isPending} onClick={() => request.mutate()}>
          Send me the link
        </Button>
      )}
    </Notice>
  );
}
