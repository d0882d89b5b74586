import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormActions, FormFailure } from "../../ui/form.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { useSay } from "../../ui/toasts.tsx";
import type { Feed } from "./health.ts";

/** What an owner does with one engine: try it, retrieve it now, switch it. */
export function FeedActions({ feed }: { readonly feed: Feed }) {
  const queries = useQueryClient();
  const [wish, setWish] = useState<Wish | null>(null);
  const trial = useMutation({ mutationFn: () => dashboard.tryFeed(feed.key) });
  const update = useMutation({
    mutationFn: () => dashboard.updateFeed(feed.key),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["feeds"] }),
  });
  const isOff = feed.status === "disabled";
  return (
    <div className="feed-actions">
      <div className="button-row">
        <Button isBusy={trial.isPending} onClick={() => trial.mutate()}>
          Try
        </Button>
        {!isOff && feed.refresh_minutes !== null && (
          <Button isBusy={update.isPending} onClick={() => update.mutate()}>
            Update now
          </Button>
        )}
        <Button tone={isOff ? "plain" : "danger"} onClick={() => setWish({ value: isOff })}>
          {isOff ? "Switch on" : "Switch off"}
        </Button>
        {feed.owner_switch !== null && (
          <Button tone="quiet" onClick={() => setWish({ value: null })}>
            Leave it to the configuration
          </Button>
        )}
      </div>
      <FormFailure error={trial.error ?? update.error} shown={[]} />
      {trial.data !== undefined && <Trial trial={trial.data} target={feed.target} />}
      {wish !== null && <SwitchDialog feed={feed} wish={wish} onClose={() => setWish(null)} />}
    </div>
  );
}

type TrialProps = { readonly trial: Shapes["FeedTrialView"]; readonly target: string };

function Trial({ trial, target }: TrialProps) {
  const { outcome, entries, dropped, samples, detail, engines_now: now, engines_then: then } = trial;
  return (
    <div role="status">
      <p>
        {outcome === "ok" ? "It works. " : "It gave no answer. "}
        {entries !== null &&
          `${countOf(entries, "entry", "entries")}, ${formatCount(dropped ?? 0)} left out. `}
        {detail}
      </p>
      {samples.length > 0 && <pre>{samples.join("\n")}</pre>}
      <p className="muted small">
        {countOf(now, "engine")} of target {target} on; {formatCount(then)} with it. Nothing was changed.
      </p>
    </div>
  );
}

/** `value`: null leaves it to the configuration. */
type Wish = { readonly value: boolean | null };
type SwitchProps = { readonly feed: Feed; readonly wish: Wish; readonly onClose: () => void };

function SwitchDialog({ feed, wish, onClose }: SwitchProps) {
  const queries = useQueryClient();
  const say = useSay();
  const { title, explanation } = wordsOf(feed, wish);
  const send = useMutation({
    mutationFn: (reason: string) => dashboard.switchFeed(feed.key, { value: wish.value, reason }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["feeds"] });
      say(`${title}: done`);
      onClose();
    },
  });
  const reason = faultOf(send.error, "reason");
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{explanation}</p>
      <Form error={send.error} onSend={(typed) => send.mutate(typed("reason").trim())}>
        <Field label="Reason" name="reason" autoComplete="off" error={reason} />
        <FormFailure error={send.error} shown={[reason]} />
        <FormActions
          tone={wish.value === false ? "danger" : "primary"}
          isBusy={send.isPending}
          onCancel={onClose}
        >
          {title}
        </FormActions>
      </Form>
    </Dialog>
  );
}

function wordsOf({ name }: Feed, { value }: Wish): { title: string; explanation: string } {
  const kept = "The reason is kept in the audit log.";
  if (value === null)
    return {
      title: "Leave to the configuration",
      explanation: `The configuration decides on ${name} again. ${kept}`,
    };
  if (!value)
    return {
      title: "Switch off",
      explanation: `${name} is not asked any more, whatever the configuration says. ${kept}`,
    };
  return {
    title: "Switch on",
    explanation: `${name} is asked from now on, whatever the configuration says: you answer for the publisher's terms. ${kept}`,
  };
}
