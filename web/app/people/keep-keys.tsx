import { countOf } from "../../ui/format.ts";

/** Whether a person's keys outlive what they may do with them. Nothing where they made none. */
export function KeepKeys({ keys }: { readonly keys: number }) {
  if (keys === 0) return null;
  return (
    <label className="keep-keys">
      <input type="checkbox" name="keep_keys" />
      <span>
        Keep {countOf(keys, "API key")} working that they made
        <span className="muted small">
          Otherwise each is revoked at once, and programs that use it get a 401. They know the keys.
        </span>
      </span>
    </label>
  );
}
