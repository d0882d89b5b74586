import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, FormFailure } from "../../ui/form.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { useRefreshSession } from "../session.tsx";
import { PasswordField } from "../sign-in/password-field.tsx";

/** Sets or changes the password; all other sessions end. */
export function Password({ hasOne }: { readonly hasOne: boolean }) {
  const queries = useQueryClient();
  const refresh = useRefreshSession();
  const say = useSay();
  const [attempt, setAttempt] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  // The form is a new one after each change: its button takes the focus that the old one had.
  useEffect(() => {
    if (attempt > 0) frame.current?.querySelector<HTMLElement>("button[type=submit]")?.focus();
  }, [attempt]);
  const change = useMutation({
    mutationFn: dashboard.setPassword,
    onSuccess: async () => {
      say(`${hasOne ? "Password changed" : "Password set"}; all other sessions ended`);
      setAttempt(attempt + 1);
      await Promise.all([refresh(), queries.invalidateQueries({ queryKey: ["sessions"] })]);
    },
  });
  const current = faultOf(change.error, "current_password");
  const fresh = faultOf(change.error, "new_password");
  return (
    <div ref={frame}>
      <Form
        key={attempt}
        error={change.error}
        onSend={(typed) =>
          change.mutate({
            ...(hasOne && { current_password: typed("current_password") }),
            new_password: typed("new_password"),
          })
        }
      >
        {!hasOne && <p className="muted">This account has no password yet: you signed in with an API key.</p>}
        {hasOne && (
          <Field
            label="Current password"
            name="current_password"
            type="password"
            autoComplete="current-password"
            error={current}
          />
        )}
        <PasswordField label="New password" name="new_password" error={fresh} />
        <FormFailure error={change.error} shown={[current, fresh]} />
        <Button type="submit" isBusy={change.isPending}>
          {hasOne ? "Change password" : "Set password"}
        </Button>
      </Form>
    </div>
  );
}
