import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Form, FormActions, FormFailure } from "../../ui/form.tsx";
import { formatExact } from "../../ui/format.ts";
import { type Key, nameOf } from "./key.ts";
import { ExpiryField } from "./limit-fields.tsx";
import { expiryInput, faultsAfter, faultsBefore, type KeyFaults, limitsOf } from "./limits.ts";
import { NewKey } from "./new-key.tsx";

const OVERLAPS = [
  { seconds: 0, label: "Not at all: it stops at once" },
  { seconds: 3_600, label: "For an hour" },
  { seconds: 86_400, label: "For a day" },
  { seconds: 259_200, label: "For 3 days" },
  { seconds: 604_800, label: "For 7 days" },
] as const;

type RollKeyProps = { readonly apiKey: Key; readonly onClose: () => void };

/** Replaces a key, then shows the new one this once and says how long the old one works. */
export function RollKey({ apiKey, onClose }: RollKeyProps) {
  const queries = useQueryClient();
  const [expiry, setExpiry] = useState(limitsOf(apiKey).expiry);
  const [before, setBefore] = useState<KeyFaults | null>(null);
  const roll = useMutation({
    mutationFn: (input: Shapes["KeyRollInput"]) => dashboard.rollKey(apiKey.id, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  if (roll.data !== undefined) {
    return (
      <NewKey made={roll.data} onClose={onClose}>
        <Replaced {...roll.data.replaced} />
      </NewKey>
    );
  }
  const faults = before ?? faultsAfter(roll.error);
  return (
    <Dialog title={`Roll "${nameOf(apiKey)}"`} onClose={onClose}>
      <p>
        This makes a new key with the same name and limits. Whatever uses <code>{apiKey.prefix}…</code> needs
        the new one before the old one stops.
      </p>
      <Form
        error={before ?? roll.error}
        onSend={(typed) => {
          const wrong = faultsBefore({ expiry });
          setBefore(wrong);
          if (wrong !== null || roll.isPending) return;
          roll.mutate({ overlap_s: Number(typed("overlap")), ...expiryInput(expiry) });
        }}
      >
        <Select
          label="The old key keeps working"
          name="overlap"
          defaultValue="86400"
          error={faults.overlap_s}
          hint={apiKey.expires_at === null ? undefined : `At most until ${formatExact(apiKey.expires_at)}`}
        >
          {OVERLAPS.map(({ seconds, label }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </Select>
        <ExpiryField
          label="The new key expires"
          value={expiry}
          onChange={setExpiry}
          current={apiKey.expires_at}
          error={faults.expires_at}
        />
        <FormFailure error={before === null ? roll.error : null} shown={Object.values(faults)} />
        <FormActions isBusy={roll.isPending} onCancel={onClose}>
          Roll key
        </FormActions>
      </Form>
    </Dialog>
  );
}

const Replaced = ({ prefix, works_until: until }: Shapes["RolledKeyView"]["replaced"]) =>
  until === null ? (
    <p>
      The old key <code>{prefix}…</code> has stopped: calls with it get a 401.
    </p>
  ) : (
    <p>
      The old key <code>{prefix}…</code> works until <strong>{formatExact(until)}</strong>.
    </p>
  );
