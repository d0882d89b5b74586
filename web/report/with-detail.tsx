import { saidBeside } from "../api/said-beside.gen.ts";
import { Outside } from "./outside.tsx";

type Props = { readonly words: string; readonly detail: string | null | undefined };

/** Words of ours for what happened, and in brackets what came with it, where that says more. */
export function WithDetail({ words, detail }: Props) {
  const more = saidBeside(words, detail);
  if (more === null) return words;
  return (
    <>
      {words} (<Outside text={more} most={160} />)
    </>
  );
}
