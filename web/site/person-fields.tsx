import type { SignedInPerson } from "./frame.ts";

/** What proves that a form comes from a page of this session. */
export const PersonFields = ({ person }: { readonly person: SignedInPerson }) => (
  <input type="hidden" name="csrf" value={person.csrf_token} />
);
