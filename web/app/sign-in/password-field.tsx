import { Field } from "../../ui/field.tsx";

type PasswordFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly error: string | null;
  readonly autoFocus?: boolean;
};

/** A password that is being chosen. */
export const PasswordField = ({ label, name, error, autoFocus = false }: PasswordFieldProps) => (
  <Field
    label={label}
    name={name}
    type="password"
    autoComplete="new-password"
    required
    autoFocus={autoFocus}
    hint="8 to 128 characters; a few random words are easy to remember. The most common passwords are refused"
    error={error}
  />
);
