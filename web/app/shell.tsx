import { LogOut, Menu, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { BrandMark } from "../ui/brand-mark.tsx";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/states.tsx";
import { ThemeSwitch } from "../ui/theme.tsx";
import { AccountNotices } from "./account-notices.tsx";
import { NAV, type NavEntry } from "./nav.ts";
import { ROLE_NAMES } from "./people/roles.ts";
import { ReaderNotice } from "./reader.tsx";
import { Search, SearchButton } from "./search/search.tsx";
import { useAccount, useSignOut } from "./session.tsx";
import "./shell.css";

/** The frame of every signed-in page. */
export function Shell({ children }: { readonly children: React.ReactNode }) {
  return (
    <Search>
      <div className="shell">
        <a className="skip" href="#main">
          Skip to content
        </a>
        <aside className="shell-side">
          <Brand />
          <SearchButton />
          <Navigation label="Main" />
          <Person />
        </aside>
        <TopBar />
        <main className="shell-main" id="main" tabIndex={-1}>
          <ReaderNotice />
          <AccountNotices />
          {children}
        </main>
      </div>
    </Search>
  );
}

const Brand = () => (
  <Link href="/" className="brand">
    <BrandMark />
    Repute
  </Link>
);

function Navigation({ label }: { readonly label: string }) {
  const account = useAccount();
  return (
    <nav className="nav" aria-label={label}>
      {NAV.map((group) => (
        <ul key={group[0]?.path}>
          {group
            .filter(({ isOwner }) => !isOwner || (account.is_owner && !account.is_reader))
            .map((entry) => (
              <li key={entry.path}>
                <NavLink {...entry} />
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}

function NavLink({ path, label, icon: Icon, isExternal }: NavEntry) {
  const [location] = useLocation();
  const isCurrent = path === "/" ? location === "/" : location === path || location.startsWith(`${path}/`);
  const content = (
    <>
      <Icon size={17} aria-hidden="true" />
      {label}
    </>
  );
  if (isExternal) {
    return (
      <a className="nav-link" href={path}>
        {content}
      </a>
    );
  }
  return (
    <Link href={path} className="nav-link" aria-current={isCurrent ? "page" : undefined}>
      {content}
    </Link>
  );
}

function Person() {
  const { email, plan, person } = useAccount();
  const name = person?.email ?? email;
  const signOut = useSignOut();
  return (
    <div className="person">
      <p className="person-name" title={name}>
        {name}
      </p>
      <p className="muted small">
        {person !== null && person.role !== "owner" && `${ROLE_NAMES[person.role]} of ${email} · `}
        {plan} plan
      </p>
      {signOut.error !== null && (
        <Failure error={signOut.error} isInline>
          <p>You are still signed in.</p>
        </Failure>
      )}
      <div className="person-end">
        <ThemeSwitch />
        <Button tone="quiet" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          <LogOut aria-hidden="true" />
          Sign out
        </Button>
      </div>
    </div>
  );
}

function TopBar() {
  const menu = useRef<HTMLDialogElement>(null);
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu
  useEffect(() => menu.current?.close(), [location]);
  return (
    <header className="top-bar">
      <Brand />
      <SearchButton />
      <Button tone="quiet" aria-haspopup="dialog" onClick={() => menu.current?.showModal()}>
        <Menu aria-hidden="true" />
        Menu
      </Button>
      <dialog ref={menu} className="drawer" aria-label="Menu">
        <div className="drawer-head">
          <Brand />
          <Button tone="quiet" onClick={() => menu.current?.close()}>
            <X aria-hidden="true" />
            Close
          </Button>
        </div>
        <Navigation label="Main" />
        <Person />
      </dialog>
    </header>
  );
}
