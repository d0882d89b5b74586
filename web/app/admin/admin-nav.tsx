import { Link } from "wouter";
import "./admin.css";

/** Between the two lists of the owners' part. */
export const AdminNav = ({ current }: { readonly current: "accounts" | "audit" }) => (
  <nav className="admin-nav" aria-label="Admin">
    <Link href="/admin" aria-current={current === "accounts" ? "page" : undefined}>
      Accounts
    </Link>
    <Link href="/admin/audit" aria-current={current === "audit" ? "page" : undefined}>
      Audit log
    </Link>
  </nav>
);
