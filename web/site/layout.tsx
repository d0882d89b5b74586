import { Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import mark from "../ui/brand-mark.svg";
import { BrandMark } from "../ui/brand-mark.tsx";
import type { PageFiles, PageFrame } from "./frame.ts";
import type { ThemeChoice } from "./theme.ts";

type Props = {
  readonly frame: PageFrame;
  readonly title: string;
  readonly description: string;
  /** Search engines must not index results. */
  readonly isHidden?: boolean;
  /** Seconds after which the page asks again by itself. */
  readonly refreshS?: number | null;
  readonly children: ReactNode;
};

/** A whole public page: one heading is up to its content, the rest stands here. */
export function Layout({ frame, title, description, isHidden = false, refreshS = null, children }: Props) {
  const { files, theme, path, origin } = frame;
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <Head files={files} title={title} />
        <meta name="description" content={description} />
        <meta property="og:site_name" content="Repute" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {path === "" ? null : <meta property="og:url" content={`${origin}${path}`} />}
        {isHidden ? <meta name="robots" content="noindex" /> : null}
        {refreshS === null ? null : <meta httpEquiv="refresh" content={String(refreshS)} />}
      </head>
      <body className="site">
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <Header path={path} theme={theme} />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <Footer frame={frame} />
        <p className="visually-hidden" role="status" id="announcement" />
      </body>
    </html>
  );
}

/** What every page, the signed-in part's too, has in its head. */
export function Head({ files, title }: { files: PageFiles; title: string }) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={mark} type="image/svg+xml" />
      {files.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {files.preloads.map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
      {files.scripts.map((src) => (
        <script key={src} type="module" src={src} />
      ))}
    </>
  );
}

const LINKS = [
  ["/tools/ip", "Tools", "/tools/"],
  ["/pricing", "Plans", "/pricing"],
  ["/guide", "Guide", "/guide"],
  ["/docs", "API", "/docs"],
  ["/status", "Status", "/status"],
] as const;

function Header({ path, theme }: { path: string; theme: ThemeChoice }) {
  return (
    <header className="site-header">
      <div className="site-header-inner">
        <a className="brand" href="/">
          <BrandMark />
          Repute
        </a>
        <nav className="site-nav" aria-label="Main">
          <ul>
            {LINKS.map(([href, name, below]) => (
              <li key={href}>
                <a href={href} aria-current={path.startsWith(below) ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeSwitch theme={theme} />
        <a className="button button-quiet dashboard-link" href="/app">
          Dashboard
        </a>
      </div>
    </header>
  );
}

const THEMES = [
  ["system", "As the system has it", Monitor],
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
] as const;

/** Shown by the script that makes it work. */
function ThemeSwitch({ theme }: { theme: ThemeChoice }) {
  return (
    <fieldset className="theme-switch" hidden>
      <legend className="visually-hidden">Colours</legend>
      {THEMES.map(([value, name, Icon]) => (
        <button
          key={value}
          type="button"
          data-theme-choice={value}
          aria-pressed={value === theme}
          title={name}
        >
          <Icon aria-hidden="true" />
          <span className="visually-hidden">{name}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Footer({ frame: { version } }: { frame: PageFrame }) {
  return (
    <footer className="site-footer">
      <div>
        <p>
          Repute {version}, self-hosted. <a href="https://db-ip.com">IP Geolocation by DB-IP</a>.
        </p>
        <ul>
          <li>
            <a href="/sources">Sources</a>
          </li>
          <li>
            <a href="/docs">API reference</a>
          </li>
          <li>
            <a href="/openapi.json">OpenAPI</a>
          </li>
        </ul>
      </div>
    </footer>
  );
}
