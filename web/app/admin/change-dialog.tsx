import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { PLAN_NAMES } from "../../api/plans.gen.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Form, FormActions, FormFailure, type Typed } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import type { Change, ListedAccount } from "./account-row.ts";

type ChangeDialogProps = {
  readonly account: ListedAccount;
  readonly change: Change;
  readonly onClose: () => void;
};

/** One change of one account, with the reason that is kept. */
export function ChangeDialog({ account, change, onClose }: ChangeDialogProps) {
  const { title, verb, explanation, isDanger } = wordsOf(change, account);
  const send = useChange(account, change, onClose);
  const [isMissing, setIsMissing] = useState(false);
  const reason = faultOf(send.error, "reason") ?? (isMissing ? "Say why: it is kept with the change" : null);
  const value = faultOf(send.error, "value");
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{explanation}</p>
      <Form
        error={send.error ?? (isMissing || null)}
        onSend={(typed) => {
          const why = typed("reason").trim();
          setIsMissing(why === "");
          if (why !== "") send.mutate({ change, value: newValue(change, account, typed), reason: why });
        }}
      >
        <Value change={change} account={account} error={value} />
        <Field label="Reason" name="reason" autoComplete="off" error={reason} />
        <FormFailure error={send.error} shown={[reason, value]} />
        <FormActions tone={isDanger ? "danger" : "primary"} isBusy={send.isPending} onCancel={onClose}>
          {verb}
        </FormActions>
      </Form>
    </Dialog>
  );
}

type Input = Parameters<typeof dashboard.changeAccount>[1];

function useChange(account: ListedAccount, change: Change, onClose: () => void) {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (input: Input) => dashboard.changeAccount(account.id, input),
    onSuccess: (view) => {
      queries.setQueryData(["admin", "account", account.id], view);
      void queries.invalidateQueries({ queryKey: ["admin", "accounts"] });
      void queries.invalidateQueries({ queryKey: ["admin", "audit"] });
      say(wordsOf(change, account).done);
      onClose();
    },
  });
}

type ValueProps = {
  readonly change: Change;
  readonly account: ListedAccount;
  readonly error: string | null;
};

function Value({ change, account, error }: ValueProps) {
  if (change === "plan") {
    return (
      <Select label="Plan" name="value" defaultValue={account.plan} error={error}>
        {PLAN_NAMES.map((plan) => (
          <option key={plan}>{plan}</option>
        ))}
      </Select>
    );
  }
  if (change === "credits") {
    return (
      <Field
        label="Credits left"
        name="value"
        type="number"
        min={0}
        step={1}
        defaultValue={account.credits_remaining}
        error={error}
      />
    );
  }
  return null;
}

function newValue(change: Change, account: ListedAccount, typed: Typed): string | number | boolean {
  switch (change) {
    case "plan":
      return typed("value");
    case "credits":
      return Number(typed("value"));
    case "disabled":
      return account.disabled_at === null;
    case "owner":
      return !account.is_owner;
    default:
      return change satisfies never;
  }
}

function wordsOf(change: Change, { email, disabled_at: disabledAt, is_owner: isOwner }: ListedAccount) {
  switch (change) {
    case "plan":
      return {
        title: `Change the plan of ${email}`,
        verb: "Change plan",
        explanation:
          "Limits and monthly credits follow the plan at once. A larger plan adds what it grants above the credits that this cycle has granted already; a smaller one leaves at most its own.",
        done: "Plan changed",
        isDanger: false,
      };
    case "credits":
      return {
        title: `Set the credits of ${email}`,
        verb: "Set credits",
        explanation: "The balance becomes this number, until it refills. What a plan grants does not change.",
        done: "Credits set",
        isDanger: false,
      };
    case "disabled":
      return disabledAt === null
        ? {
            title: `Disable ${email}?`,
            verb: "Disable account",
            explanation: "Its keys are refused at once and its sessions end. Nothing is deleted.",
            done: "Account disabled",
            isDanger: true,
          }
        : {
            title: `Enable ${email}?`,
            verb: "Enable account",
            explanation: "Its active keys work again at once.",
            done: "Account enabled",
            isDanger: false,
          };
    default:
      return ownerWords(email, isOwner);
  }
}

const ownerWords = (email: string, isOwner: boolean) =>
  isOwner
    ? {
        title: `Remove the owner role from ${email}?`,
        verb: "Remove owner role",
        explanation: "It no longer sees the Admin pages.",
        done: "Ownership taken away",
        isDanger: true,
      }
    : {
        title: `Make ${email} an owner?`,
        verb: "Make owner",
        explanation: "It sees every account and can change each, this one included.",
        done: "Made an owner",
        isDanger: false,
      };
