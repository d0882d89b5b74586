import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { type Key, nameOf } from "./key.ts";
import { KeyForm } from "./key-form.tsx";

type EditKeyProps = {
  readonly apiKey: Key;
  readonly products: readonly string[];
  readonly onClose: () => void;
};

/** Changes the name of a key and what limits it; one that has expired works again. */
export function EditKey({ apiKey, products, onClose }: EditKeyProps) {
  const queries = useQueryClient();
  const say = useSay();
  const isExpired = apiKey.state === "expired";
  const update = useMutation({
    mutationFn: (input: Shapes["KeyInput"]) => dashboard.updateKey(apiKey.id, input),
    onSuccess: async (_done, { name }) => {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
      say(isExpired ? `"${name}" works again` : `Saved "${name}"`);
      onClose();
    },
  });
  return (
    <Dialog title={`${isExpired ? "Renew" : "Edit"} "${nameOf(apiKey)}"`} onClose={onClose}>
      <KeyForm
        apiKey={apiKey}
        products={products}
        verb={isExpired ? "Renew key" : "Save"}
        change={update}
        onClose={onClose}
      >
        <p className="muted small">
          {isExpired ? "The same key works again at once." : "Limits count from the next call on."}
        </p>
      </KeyForm>
    </Dialog>
  );
}
