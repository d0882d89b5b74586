import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Failure } from "../../ui/states.tsx";

type Share = Shapes["ResultView"]["shares"][number];

type ShareDialogProps = {
  readonly id: string;
  readonly shares: readonly Share[];
  readonly onClose: () => void;
};

const DAYS = [1, 7, 30, 90];

/** Makes links to a kept answer, and ends them. */
export function ShareDialog({ id, shares, onClose }: ShareDialogProps) {
  const queries = useQueryClient();
  const [days, setDays] = useState(7);
  const refresh = () => queries.invalidateQueries({ queryKey: ["result", id] });
  const share = useMutation({ mutationFn: () => dashboard.shareResult(id, { days }), onSettled: refresh });
  return (
    <Dialog title="Share this report" onClose={onClose}>
      <p>
        Anyone with the link sees the report as it is kept here, without your account. It stops working at its
        end, when you revoke it, or when the result is deleted.
      </p>
      <Form className="share-form" error={share.error} label="Create a link" onSend={() => share.mutate()}>
        <Select
          label="The link works for"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {countOf(count, "day")}
            </option>
          ))}
        </Select>
        <Button type="submit" tone="primary" isBusy={share.isPending}>
          Create link
        </Button>
      </Form>
      {share.data !== undefined && <NewLink path={share.data.path} />}
      <Links id={id} shares={shares} onRevoked={refresh} />
      <div className="dialog-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

function NewLink({ path }: { readonly path: string }) {
  const link = `${location.origin}${path}`;
  return (
    <div role="status">
      <p className="small">Copy it now: the service keeps only a fingerprint of it.</p>
      <div className="secret">
        <code>{link}</code>
        <CopyButton text={link} what="the link" tone="primary" />
      </div>
    </div>
  );
}

type LinksProps = Omit<ShareDialogProps, "onClose"> & { readonly onRevoked: () => void };

function Links({ shares, onRevoked }: LinksProps) {
  const revoke = useMutation({ mutationFn: dashboard.revokeShare, onSettled: onRevoked });
  if (shares.length === 0) return null;
  return (
    <section aria-label="Links that work" className="share-links">
      {revoke.error !== null && <Failure error={revoke.error} />}
      <ul>
        {shares.map(({ id, created_at: created, expires_at: expires }) => (
          <li key={id}>
            <span>
              Made <RelativeTime time={created} />, ends <RelativeTime time={expires} />
            </span>
            <Button tone="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate(id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
