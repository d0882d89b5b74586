import { type ComponentType, lazy } from "react";

/** A page that is a chunk of its own. */
const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

export type RouteEntry = { readonly path: string; readonly page: ComponentType };

/** Pages of a signed-in account. */
export const PRIVATE_ROUTES: readonly RouteEntry[] = [
  { path: "/", page: page(async () => (await import("./overview/page.tsx")).OverviewPage) },
  { path: "/keys", page: page(async () => (await import("./keys/page.tsx")).KeysPage) },
  { path: "/people", page: page(async () => (await import("./people/page.tsx")).PeoplePage) },
  { path: "/usage", page: page(async () => (await import("./usage/page.tsx")).UsagePage) },
  { path: "/lookup/:word?", page: page(async () => (await import("./lookup/page.tsx")).LookupPage) },
  { path: "/bulk", page: page(async () => (await import("./bulk/page.tsx")).BulkPage) },
  { path: "/bulk/:id", page: page(async () => (await import("./bulk/run-page.tsx")).RunPage) },
  { path: "/results", page: page(async () => (await import("./results/page.tsx")).ResultsPage) },
  { path: "/results/:id", page: page(async () => (await import("./results/result-page.tsx")).ResultPage) },
  { path: "/billing", page: page(async () => (await import("./billing/page.tsx")).BillingPage) },
  { path: "/feeds", page: page(async () => (await import("./feeds/page.tsx")).FeedsPage) },
  { path: "/settings", page: page(async () => (await import("./settings/page.tsx")).SettingsPage) },
];

/** Pages for owners of the installation. */
export const OWNER_ROUTES: readonly RouteEntry[] = [
  { path: "/exports", page: page(async () => (await import("./exports/page.tsx")).ExportsPage) },
  { path: "/admin", page: page(async () => (await import("./admin/accounts-page.tsx")).AccountsPage) },
  { path: "/admin/audit", page: page(async () => (await import("./admin/audit-page.tsx")).AuditPage) },
  {
    path: "/admin/accounts/:id",
    page: page(async () => (await import("./admin/account-page.tsx")).AccountPage),
  },
];

/** Pages before signing in. */
export const PUBLIC_ROUTES: readonly RouteEntry[] = [
  { path: "/sign-in", page: page(async () => (await import("./sign-in/page.tsx")).SignInPage) },
  { path: "/sign-up", page: page(async () => (await import("./sign-in/sign-up-page.tsx")).SignUpPage) },
  { path: "/open", page: page(async () => (await import("./sign-in/open-page.tsx")).OpenPage) },
  { path: "/join", page: page(async () => (await import("./people/join-page.tsx")).JoinPage) },
  {
    path: "/forgotten",
    page: page(async () => (await import("./sign-in/forgotten-page.tsx")).ForgottenPage),
  },
  { path: "/goodbye", page: page(async () => (await import("./sign-in/goodbye-page.tsx")).GoodbyePage) },
  { path: "/reset", page: page(async () => (await import("./sign-in/reset-page.tsx")).ResetPage) },
];
