import { Ban, Check, Crown } from "lucide-react";
import type { ListedAccount } from "./account-row.ts";

type State = Pick<ListedAccount, "disabled_at" | "is_owner">;

/** Whether an account works, and whether it is an owner. */
export const AccountState = ({ account }: { readonly account: State }) => (
  <span className="account-state">
    {account.disabled_at === null ? (
      <span className="tag" data-kind="good">
        <Check aria-hidden="true" />
        Active
      </span>
    ) : (
      <span className="tag" data-kind="bad">
        <Ban aria-hidden="true" />
        Disabled
      </span>
    )}
    {account.is_owner && (
      <span className="tag" data-kind="accent">
        <Crown aria-hidden="true" />
        Owner
      </span>
    )}
  </span>
);
