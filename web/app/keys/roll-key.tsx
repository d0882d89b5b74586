import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import type { Key } from "./key.ts";
import { ExpiryField, limitsInput, limitsOf } from "./limits.tsx";
import { NewKey } from "./new-key.tsx";

const OVERLAPS = [
  { seconds: 0, label: "Not at all" },
  { seconds: 3_600, label: "For an hour" },
  { seconds: 86_400, label: "For a day" },
  { seconds: 259_200, label: "For 3 days" },
  { seconds: 604_800, label: "For 7 days" },
] as const;

type RollKeyProps = { readonly apiKey: Key; readonly onClose: () => void };

/** Replaces a key, then shows the new one this once. */
export function RollKey({ apiKey, onClose }: RollKeyProps) {
  const queries = useQueryClient();
  const [limits, setLimits] = useState(limitsOf(apiKey));
  const roll = useMutation({
    mutationFn: (seconds: number) => {
      const { expires_at } = limitsInput(limits);
      return dashboard.rollKey(apiKey.id, {
        overlap_s: seconds,
        ...(expires_at === undefined ? {} : { expires_at }),
      });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  if (roll.data !== undefined) return <NewKey made={roll.data} isForTab={false} onClose={onClose} />;
  const overlap = faultOf(roll.error, "overlap_s");
  const expiry = faultOf(roll.error, "expires_at");
  return (
    <Dialog title={`Roll "${apiKey.name}"`} onClose={onClose}>
      <p>
        This makes a new key with the same name and limits. Give it to what uses <code>{apiKey.prefix}…</code>{" "}
        before the old one stops.
      </p>
      <Form error={roll.error} onSend={(typed) => roll.mutate(Number(typed("overlap")))}>
        <Select label="The old key keeps working" name="overlap" defaultValue="86400" error={overlap}>
          {OVERLAPS.map(({ seconds, label }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </Select>
        <ExpiryField
          value={limits}
          onChange={(value) => setLimits({ ...limits, ...value })}
          current={apiKey.expires_at}
          error={expiry}
        />
        <FormFailure error={roll.error} shown={[overlap, expiry]} />
        <div className="button-row">
          <Button type="submit" tone="primary" isBusy={roll.isPending}>
            Roll key
          </Button>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
