import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Check } from "../../ui/check.tsx";
import { formatRelative } from "../../ui/format.ts";
import { useNow } from "../../ui/relative-time.tsx";

type ResetKeysProps = {
  readonly keys: Shapes["ResetLink"]["keys"];
  /** Ids of those to be revoked. */
  readonly revoked: readonly string[];
  readonly onChange: (revoked: readonly string[]) => void;
};

/** The keys and tokens that work, each with a box: a new password ends sessions, and none of these. */
export function ResetKeys({ keys, revoked, onChange }: ResetKeysProps) {
  const now = useNow();
  if (keys.length === 0)
    return <p className="muted small">This account has no API key and no access token that works.</p>;
  const isAll = revoked.length === keys.length;
  return (
    <fieldset className="reset-keys">
      <legend>API keys and access tokens that work</legend>
      <p className="muted small">
        A new password ends all sessions. Keys and tokens go on working: revoke those that others may have.
      </p>
      {keys.map(({ id, name, prefix, last_used_at: usedAt }) => (
        <Check
          key={id}
          isOn={revoked.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...revoked, id] : revoked.filter((one) => one !== id))}
          label={
            <>
              Revoke {name} (<code>{prefix}…</code>)
            </>
          }
        >
          {usedAt === null ? "Never used" : `Last used ${formatRelative(usedAt, now)}`}
        </Check>
      ))}
      {keys.length > 1 && (
        <Button tone="quiet" onClick={() => onChange(isAll ? [] : keys.map(({ id }) => id))}>
          {isAll ? "Choose none" : "Choose all"}
        </Button>
      )}
    </fieldset>
  );
}
