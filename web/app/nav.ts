import {
  Activity,
  BookOpen,
  ChartColumn,
  CreditCard,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Search,
  Settings,
  ShieldBan,
  ShieldUser,
  Users,
} from "lucide-react";

export type NavEntry = {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isOwner?: boolean;
  /** Outside the signed-in part. */
  readonly isExternal?: boolean;
};

/** The way through the pages, in groups. */
export const NAV: readonly (readonly NavEntry[])[] = [
  [
    { path: "/", label: "Overview", icon: LayoutDashboard },
    { path: "/lookup", label: "Lookup", icon: Search },
    { path: "/bulk", label: "Bulk", icon: ListChecks },
    { path: "/results", label: "Results", icon: History },
  ],
  [
    { path: "/keys", label: "Keys", icon: KeyRound },
    { path: "/usage", label: "Usage", icon: ChartColumn },
    { path: "/people", label: "People", icon: Users },
    { path: "/billing", label: "Billing", icon: CreditCard },
  ],
  [
    { path: "/feeds", label: "Feeds", icon: Activity },
    { path: "/exports", label: "Exports", icon: ShieldBan, isOwner: true },
    { path: "/admin", label: "Admin", icon: ShieldUser, isOwner: true },
    { path: "/settings", label: "Settings", icon: Settings },
    { path: "/docs", label: "API reference", icon: BookOpen, isExternal: true },
  ],
];
