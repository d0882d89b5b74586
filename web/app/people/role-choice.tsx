import { useId } from "react";
import { ROLE_NAMES, ROLE_WORDS, ROLES, type RoleName } from "./roles.ts";

type RoleChoiceProps = { readonly chosen: RoleName; readonly onChoose?: (role: RoleName) => void };

/** One of the roles, each with what it may do. */
export function RoleChoice({ chosen, onChoose }: RoleChoiceProps) {
  const id = useId();
  return (
    <fieldset className="role-choice">
      <legend>Role</legend>
      {ROLES.map((role) => (
        <label key={role} className="role-option">
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === chosen}
            aria-describedby={`${id}-${role}`}
            onChange={() => onChoose?.(role)}
          />
          <span>
            {ROLE_NAMES[role]}
            <span className="muted small" id={`${id}-${role}`}>
              {ROLE_WORDS[role]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
