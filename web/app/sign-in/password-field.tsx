import { Field } from "../../ui/field.tsx";

type PasswordFieldProps = { readonly label: string; readonly name: string; readonly error: string | null };

/** A password that is being chosen. */
export const PasswordField = ({ label, name, error }: PasswordFieldProps) => (
  <Field
    label={label}
    name={name}
    type="password"
    autoComplete="new-password"
    required
    hint="8 to 128 characters; a few words are easier to keep than signs"
    error={error}
  />
);
