import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

type NewKeyProps = {
  readonly made: Shapes["NewKeyView"];
  /** Default: a key. */
  readonly what?: "key" | "token";
  readonly onClose: () => void;
  readonly children?: React.ReactNode;
};

/** A key, shown this once. */
export function NewKey({ made, what = "key", onClose, children }: NewKeyProps) {
  return (
    <Dialog
      title={`${what === "key" ? "Key" : "Token"} "${made.name}" is ready`}
      onClose={onClose}
      isDismissable={false}
    >
      <p>
        Store it now, in a password manager or a secret store. It is <strong>shown this once</strong>; the
        service keeps only a fingerprint.
      </p>
      <div className="secret">
        <code>{made.key}</code>
        <CopyButton text={made.key} what={`the ${what}`} tone="primary" />
      </div>
      {children}
      <div className="dialog-end">
        <Button onClick={onClose}>I have stored it</Button>
      </div>
    </Dialog>
  );
}
