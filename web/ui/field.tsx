import { CircleAlert } from "lucide-react";
import { useId } from "react";
import "./field.css";

type Common = {
  readonly label: string;
  readonly hint?: React.ReactNode;
  /** What was wrong with what stands in it; the text stays as it was typed. */
  readonly error?: string | null | undefined;
  readonly isWide?: boolean;
};

export type FieldProps = Common & Omit<React.ComponentProps<"input">, "id">;

/** A labelled input with hint and error. */
export function Field({ label, hint, error, isWide, ...input }: FieldProps) {
  const { id, described, frame } = useFrame({ label, hint, error, isWide });
  return frame(<input {...input} id={id} className="input" {...described} />);
}

export type TextAreaProps = Common & Omit<React.ComponentProps<"textarea">, "id">;

/** A labelled text of several lines. */
export function TextArea({ label, hint, error, isWide, ...input }: TextAreaProps) {
  const { id, described, frame } = useFrame({ label, hint, error, isWide });
  return frame(<textarea {...input} id={id} className="input" {...described} />);
}

export type SelectProps = Common & Omit<React.ComponentProps<"select">, "id">;

/** A labelled choice out of a few. */
export function Select({ label, hint, error, isWide, ...select }: SelectProps) {
  const { id, described, frame } = useFrame({ label, hint, error, isWide });
  return frame(<select {...select} id={id} className="input select" {...described} />);
}

type FrameProps = { [K in keyof Common]: Common[K] | undefined };

function useFrame({ label, hint, error, isWide }: FrameProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const isWrong = error !== null && error !== undefined;
  const ids = [hint === undefined ? null : hintId, isWrong ? errorId : null].filter((one) => one !== null);
  const described = {
    "aria-invalid": isWrong || undefined,
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
  };
  const frame = (control: React.ReactNode) => (
    <div className="field" data-wide={isWide || undefined}>
      <label htmlFor={id}>{label}</label>
      {control}
      {isWrong && (
        <p className="field-error" id={errorId}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
  return { id, described, frame };
}
