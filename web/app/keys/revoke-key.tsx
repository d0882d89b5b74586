import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form.tsx";
import { countOf, formatRelative } from "../../ui/format.ts";
import { useNow } from "../../ui/relative-time.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { forgetKey, prefixOf, useKey } from "../key-store.ts";
import type { Key } from "./key.ts";

type RevokeKeyProps = { readonly apiKey: Key; readonly onClose: () => void };

/** Asks before a key stops, and says what stops with it. */
export function RevokeKey({ apiKey, onClose }: RevokeKeyProps) {
  const queries = useQueryClient();
  const say = useSay();
  const used = useKey();
  const name = apiKey.name === "" ? apiKey.prefix : apiKey.name;
  const isHere = used !== null && prefixOf(used).startsWith(apiKey.prefix);
  const revoke = useMutation({
    mutationFn: () => dashboard.revokeKey(apiKey.id),
    onSuccess: async () => {
      if (isHere) forgetKey();
      await queries.invalidateQueries({ queryKey: ["keys"] });
      say(`Revoked "${name}"`);
      onClose();
    },
  });
  return (
    <Dialog title={`Revoke "${name}"?`} onClose={onClose}>
      <p>
        Every call with <code>{apiKey.prefix}…</code> gets a 401 from now on, calls under way included. This
        cannot be taken back.
      </p>
      <p>
        <LastUse apiKey={apiKey} />
        {isHere && " This tab uses it for its lookups."}
      </p>
      <FormFailure error={revoke.error} />
      <div className="dialog-end">
        <Button tone="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button tone="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke "{name}"
        </Button>
      </div>
    </Dialog>
  );
}

function LastUse({ apiKey: { last_used_at: at, calls_30_days: calls } }: { readonly apiKey: Key }) {
  const now = useNow();
  if (at === null) return "Nothing has used it so far.";
  return `Something used it ${formatRelative(at, now)}, with ${countOf(calls, "call")} in 30 days: that stops working.`;
}
