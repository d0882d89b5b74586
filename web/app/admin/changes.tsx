import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import type { Change, ListedAccount } from "./account-row.ts";
import { ChangeDialog } from "./change-dialog.tsx";

/** What an owner may change; each asks for a reason. */
export function Changes({ account }: { readonly account: ListedAccount }) {
  const [change, setChange] = useState<Change | null>(null);
  const isDisabled = account.disabled_at !== null;
  return (
    <div className="button-row">
      <Button onClick={() => setChange("plan")}>Change plan</Button>
      <Button onClick={() => setChange("credits")}>Set credits</Button>
      <Button onClick={() => setChange("owner")}>
        {account.is_owner ? "Remove owner role" : "Make owner"}
      </Button>
      <Button tone={isDisabled ? "plain" : "danger"} onClick={() => setChange("disabled")}>
        {isDisabled ? "Enable account" : "Disable account"}
      </Button>
      {change !== null && <ChangeDialog account={account} change={change} onClose={() => setChange(null)} />}
    </div>
  );
}
