import { useEffect, useRef } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Failure } from "./states.tsx";

/** What stands in the named fields of a form. */
export type Typed = (name: string) => string;

type FormProps = {
  readonly onSend: (typed: Typed) => void;
  /** Why the last attempt failed: shown above the fields, and the first wrong field takes the focus. */
  readonly error?: unknown;
  readonly className?: string;
  readonly label?: string;
  readonly children: React.ReactNode;
};

/** A form that is sent by Enter or its button, and keeps what was typed when it is refused. */
export function Form({ onSend, error, className = "form", label, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error === null || error === undefined) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    wrong?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={className}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        onSend((name) => {
          const value = given.get(name);
          return typeof value === "string" ? value : "";
        });
      }}
    >
      {children}
    </form>
  );
}

/** The failure of a form, unless one of its fields shows it already. */
export function FormFailure({
  error,
  shown = [],
}: {
  readonly error: unknown;
  readonly shown?: readonly (string | null)[];
}) {
  if (error === null || error === undefined || shown.some((fault) => fault !== null)) return null;
  return <Failure error={error} isInline />;
}

type FormActionsProps = Pick<ButtonProps, "tone" | "isBusy" | "disabled" | "children"> & {
  readonly onCancel: () => void;
};

/** The button that sends a form, with its verb, and the one that leaves it. */
export function FormActions({ tone = "primary", onCancel, ...send }: FormActionsProps) {
  return (
    <div className="button-row">
      <Button type="submit" tone={tone} {...send} />
      <Button tone="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
