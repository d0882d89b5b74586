import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Check } from "../../ui/check.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { countOf } from "../../ui/format.ts";
import { useSay } from "../../ui/toasts.tsx";
import { keepKey } from "../key-store.ts";
import { formerDashboardKeys } from "./dashboard-keys.ts";
import type { Key } from "./key.ts";

type NewKeyProps = {
  readonly made: Shapes["NewKeyView"];
  readonly isForTab: boolean;
  readonly onClose: () => void;
};

/** A key, shown this once. One for a tab may replace those of earlier tabs. */
export function NewKey({ made, isForTab, onClose }: NewKeyProps) {
  const [isKept, setIsKept] = useState(true);
  const [isReplacing, setIsReplacing] = useState(false);
  const keys = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => dashboard.keys(signal) });
  const former = isForTab ? formerDashboardKeys(keys.data?.keys ?? [], made.id) : [];
  const revoke = useRevokeAll();
  const close = () => {
    if (isReplacing) revoke.mutate(former);
    if (isKept) keepKey(made.key);
    onClose();
  };
  return (
    <Dialog title={`Key "${made.name}" is ready`} onClose={close} isDismissable={false}>
      <p>
        Store it now, in a password manager or a secret store. It is <strong>shown this once</strong>; the
        service keeps only a fingerprint.
      </p>
      <div className="secret">
        <code>{made.key}</code>
        <CopyButton text={made.key} what="the key" tone="primary" />
      </div>
      <Check isOn={isKept} onChange={setIsKept} label="Use it for lookups in this tab">
        {isForTab ? "As you asked. " : ""}Kept until the tab is closed or you press Forget
      </Check>
      {former.length > 0 && (
        <Check
          isOn={isReplacing}
          onChange={setIsReplacing}
          label={`Revoke ${countOf(former.length, "former dashboard key")}`}
        >
          A tab that still uses one asks for another
        </Check>
      )}
      <div className="dialog-end">
        <Button onClick={close}>I have stored it</Button>
      </div>
    </Dialog>
  );
}

function useRevokeAll() {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: async (keys: readonly Key[]) => {
      for (const { id } of keys) await dashboard.revokeKey(id);
    },
    onSuccess: (_done, keys) => say(`Revoked ${countOf(keys.length, "former dashboard key")}`),
    onError: (error) => say(`Not every former key was revoked: ${error.message}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}
