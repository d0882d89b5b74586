import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form.tsx";
import { countOf, formatRelative } from "../../ui/format.ts";
import { RelativeTime, useNow } from "../../ui/relative-time.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { type Key, nameOf } from "./key.ts";

type RevokeKeyProps = { readonly apiKey: Key; readonly onClose: () => void };

/** Asks before a key stops, and says what stops with it. */
export function RevokeKey({ apiKey, onClose }: RevokeKeyProps) {
  const queries = useQueryClient();
  const say = useSay();
  const name = nameOf(apiKey);
  const revoke = useMutation({
    mutationFn: () => dashboard.revokeKey(apiKey.id),
    onSuccess: async ({ ended_sessions: ended, made }) => {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      say(`Revoked "${name}"${ended === 0 ? "" : `, and ended ${countOf(ended, "session")} that it opened`}`);
      if (made.length === 0) onClose();
    },
  });
  if (revoke.data !== undefined) return <Made name={name} made={revoke.data.made} onClose={onClose} />;
  return (
    <Dialog title={`Revoke "${name}"?`} onClose={onClose}>
      <p>
        Every call with <code>{apiKey.prefix}…</code> gets a 401 from now on, calls under way included. This
        cannot be taken back.
      </p>
      <p>
        <LastUse apiKey={apiKey} />
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

type MadeProps = {
  readonly name: string;
  readonly made: Shapes["RevokedKeyView"]["made"];
  readonly onClose: () => void;
};

/** What was done here by sessions that the key opened, to be looked through. */
const Made = ({ name, made, onClose }: MadeProps) => (
  <Dialog title={`"${name}" is revoked`} onClose={onClose}>
    <p>Dashboard sessions that it opened have ended. They made these changes:</p>
    <ul>
      {made.map(({ id, at, action, detail }) => (
        <li key={id}>
          <code>{action}</code> <RelativeTime time={at} />
          {typeof detail["client"] === "string" && ` from ${detail["client"]}`}
        </li>
      ))}
    </ul>
    <div className="dialog-end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </Dialog>
);

function LastUse({ apiKey: { last_used_at: at, calls_30_days: calls } }: { readonly apiKey: Key }) {
  const now = useNow();
  if (at === null) return "Nothing has used it so far.";
  return `Something used it ${formatRelative(at, now)}, with ${countOf(calls, "call")} in 30 days: that stops working.`;
}
