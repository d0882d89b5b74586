import type { Shapes } from "../api/types.gen.ts";
import type { ThemeChoice } from "./theme.ts";

/** Addresses of the built files that a page loads. */
export type PageFiles = {
  readonly scripts: readonly string[];
  readonly preloads: readonly string[];
  readonly styles: readonly string[];
};

type PublicPage = Shapes["PublicPage"];

/** What the service says of a page and of its surroundings. */
export type PageFrame<Page extends PublicPage = PublicPage> = {
  readonly page: Page;
  readonly files: PageFiles;
  readonly theme: ThemeChoice;
  /** Of the request, without its query. */
  readonly path: string;
  /** Where the service is reached, without a slash at the end. */
  readonly origin: string;
  readonly version: string;
  readonly now: string;
  /** Who is signed in, where the page is one person's; null: a stranger, or the same page for all. */
  readonly person: SignedInPerson | null;
};

export type SignedInPerson = { readonly email: string; readonly csrf_token: string };

export type FrameOf<Name extends PublicPage["page"]> = PageFrame<Extract<PublicPage, { page: Name }>>;
