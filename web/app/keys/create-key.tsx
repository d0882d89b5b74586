import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyForm } from "./key-form.tsx";
import { NewKey } from "./new-key.tsx";

type CreateKeyProps = { readonly products: readonly string[]; readonly onClose: () => void };

/** Names a key and limits it, then shows it this once. */
export function CreateKey({ products, onClose }: CreateKeyProps) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: dashboard.createKey,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  if (create.data !== undefined) return <NewKey made={create.data} onClose={onClose} />;
  return (
    <Dialog title="Create key" onClose={onClose}>
      <KeyForm apiKey={null} products={products} verb="Create key" change={create} onClose={onClose} />
    </Dialog>
  );
}
