import { useMutation, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { FormFailure } from "../../ui/form.tsx";
import { countOf, formatCount } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Notice } from "../../ui/states.tsx";
import type { Export } from "./recipes.ts";

type HeldProps = { readonly one: Export; readonly held: NonNullable<Export["held"]> };

/** What is held back of an export, and the button that lets it through. */
export function Held({ one, held }: HeldProps) {
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: () => dashboard.releaseExport(one.name),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["exports"] }),
  });
  return (
    <Notice kind="warn">
      <p>
        Held back <RelativeTime time={held.since} />: {countOf(held.entries, "entry", "entries")}, fewer than{" "}
        {formatCount(held.needed)}.
        {held.reason === "halved"
          ? " After a day it goes through by itself."
          : " It stays so until there are enough."}
      </p>
      {held.entries > 0 && (
        <Button isBusy={release.isPending} onClick={() => release.mutate()}>
          Release {one.name}
        </Button>
      )}
      <FormFailure error={release.error} shown={[]} />
    </Notice>
  );
}
