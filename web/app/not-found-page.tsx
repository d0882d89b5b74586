import { Link } from "wouter";
import { Page } from "./page.tsx";

/** An address that is no page. */
export const NotFoundPage = () => (
  <Page title="No such page" intro="Nothing is at this address, or it is for owners of this installation.">
    <p>
      <Link href="/">Go to the overview</Link>
    </p>
  </Page>
);
