import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import { useRef, useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { writeToClipboard } from "../../ui/clipboard.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { countOf, formatDate } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Failure } from "../../ui/states.tsx";
import "./share.css";

const DAYS = [1, 7, 30, 90];
const DEFAULT_DAYS = 7;

type MadeLink = {
  readonly id: string;
  readonly address: string;
  readonly days: number;
  readonly expiresAt: string;
};

/** Makes a link to a kept answer with one press, copies it and shows it. */
export function ShareButton({ id }: { readonly id: string }) {
  const links = useLinks(id);
  const [isOpen, setOpen] = useState(false);
  const share = () => {
    links.share();
    setOpen(true);
  };
  return (
    <>
      <Button onClick={share}>
        <Share2 aria-hidden="true" />
        Share
      </Button>
      {isOpen && <ShareDialog id={id} links={links} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The link that this page has made of a kept answer. */
function useLinks(id: string) {
  const queries = useQueryClient();
  const [days, setDays] = useState(DEFAULT_DAYS);
  const made = useRef<MadeLink | null>(null);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const refresh = () => queries.invalidateQueries({ queryKey: ["result", id] });
  const work = useMutation({
    // One after the other: each replaces the link before it.
    mutationFn: (wanted: number) => {
      const step = last.current.then(async () => {
        made.current = await linkFor(id, wanted, made.current);
        return { link: made.current, isCopied: await isCopiedNow(made.current.address) };
      });
      last.current = step.catch(() => undefined);
      return step;
    },
    onSettled: refresh,
  });
  const revoke = useMutation({
    mutationFn: dashboard.revokeShare,
    onSuccess: (_, revoked) => {
      if (made.current?.id !== revoked) return;
      made.current = null;
      work.reset();
    },
    onSettled: refresh,
  });
  const share = (wanted = days) => {
    setDays(wanted);
    work.mutate(wanted);
  };
  return { days, work, revoke, share };
}

/** The link at hand where it was made for as long as wanted and still works, else a new one in its place. */
async function linkFor(id: string, days: number, known: MadeLink | null): Promise<MadeLink> {
  if (known?.days === days && Date.parse(known.expiresAt) > Date.now()) return known;
  const share = await dashboard.shareResult(id, { days });
  // One that could not be revoked stands in the list.
  if (known !== null) await dashboard.revokeShare(known.id).catch(() => undefined);
  return { id: share.id, address: `${location.origin}${share.path}`, days, expiresAt: share.expires_at };
}

const isCopiedNow = (address: string): Promise<boolean> =>
  writeToClipboard(address).then(
    () => true,
    () => false,
  );

type ShareDialogProps = {
  readonly id: string;
  readonly links: ReturnType<typeof useLinks>;
  readonly onClose: () => void;
};

function ShareDialog({ id, links, onClose }: ShareDialogProps) {
  const { days, work, revoke, share } = links;
  const kept = useQuery({
    queryKey: ["result", id],
    queryFn: ({ signal }) => dashboard.result(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = work.error ?? revoke.error;
  return (
    <Dialog title="Share this report" onClose={onClose}>
      <p>
        Anyone with the link sees the report as it is kept here, without your account. It stops working at its
        end, when you revoke it, or when the result is deleted.
      </p>
      <Select
        label="The link works for"
        value={days}
        onChange={({ target }) => share(Number(target.value))}
        hint="Another choice replaces the link"
      >
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {countOf(count, "day")}
          </option>
        ))}
      </Select>
      {error !== null && <Failure error={error} />}
      <div role="status">
        {work.isPending && <p className="small">Making the link …</p>}
        {work.data !== undefined && <NewLink {...work.data} />}
      </div>
      <Links
        shares={kept.data?.shares ?? []}
        shown={work.data?.link.id ?? null}
        isBusy={revoke.isPending}
        onRevoke={revoke.mutate}
      />
      <div className="dialog-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

function NewLink({ link, isCopied }: { readonly link: MadeLink; readonly isCopied: boolean }) {
  return (
    <>
      <p className="small">
        {isCopied ? "The link is copied." : "Copy the link now: the service keeps only a fingerprint of it."}{" "}
        It works until {formatDate(link.expiresAt)}.
      </p>
      <div className="secret">
        <code>{link.address}</code>
        <CopyButton text={link.address} what="the link" tone="primary" />
      </div>
    </>
  );
}

type LinksProps = {
  readonly shares: Shapes["ResultView"]["shares"];
  /** The one that stands above the list. */
  readonly shown: string | null;
  readonly isBusy: boolean;
  readonly onRevoke: (id: string) => void;
};

function Links({ shares, shown, isBusy, onRevoke }: LinksProps) {
  if (shares.length === 0) return null;
  return (
    <section aria-label="Links that work" className="share-links">
      <ul>
        {shares.map(({ id, created_at: created, expires_at: expires }) => (
          <li key={id}>
            <span>
              {id === shown ? "This link: made" : "Made"} <RelativeTime time={created} />, ends{" "}
              <RelativeTime time={expires} />
            </span>
            <Button tone="danger" isBusy={isBusy} onClick={() => onRevoke(id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
