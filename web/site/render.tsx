import { renderToStaticMarkup } from "react-dom/server";
import { BrandMark } from "../ui/brand-mark.tsx";
import type { PageFiles, PageFrame } from "./frame.ts";
import { GuidePage } from "./guide-page.tsx";
import { HomePage } from "./home-page.tsx";
import { Head } from "./layout.tsx";
import { PricingPage } from "./pricing-page.tsx";
import { ProblemPage } from "./problem-page.tsx";
import { ReferencePage } from "./reference-page.tsx";
import { SharedPage } from "./shared-page.tsx";
import { SourcesPage } from "./sources-page.tsx";
import { StatusPage } from "./status-page.tsx";
import type { ThemeChoice } from "./theme.ts";
import { ToolPage } from "./tool-page.tsx";
import { UsePage } from "./use-page.tsx";

/** The page of the signed-in part; the browser does the rest. */
export function renderApp({ files, theme }: { files: PageFiles; theme: ThemeChoice }): string {
  return document(
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <Head files={files} title="Repute" />
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <div id="app" />
        <noscript>
          <main className="without-script">
            <a className="brand" href="/">
              <BrandMark />
              Repute
            </a>
            <h1>The dashboard needs JavaScript</h1>
            <p>
              The tools on the <a href="/">home page</a> work without it.
            </p>
          </main>
        </noscript>
      </body>
    </html>,
  );
}

/** A public page, whole: the browser needs no script for it. */
export const renderPage = (frame: PageFrame): string => document(<PublicPageView frame={frame} />);

function PublicPageView({ frame }: { frame: PageFrame }) {
  const { page } = frame;
  switch (page.page) {
    case "home":
      return <HomePage frame={{ ...frame, page }} />;
    case "tool":
      return <ToolPage frame={{ ...frame, page }} />;
    case "shared":
      return <SharedPage frame={{ ...frame, page }} />;
    case "pricing":
      return <PricingPage frame={{ ...frame, page }} />;
    case "guide":
      return <GuidePage frame={{ ...frame, page }} />;
    case "reference":
      return <ReferencePage frame={{ ...frame, page }} />;
    case "use":
      return <UsePage frame={{ ...frame, page }} />;
    case "status":
      return <StatusPage frame={{ ...frame, page }} />;
    case "sources":
      return <SourcesPage frame={{ ...frame, page }} />;
    case "problem":
      return <ProblemPage frame={{ ...frame, page }} />;
  }
}

const document = (element: React.JSX.Element): string =>
  `<!doctype html>${withPlainQuotes(renderToStaticMarkup(element))}`;

/** React escapes quotes in texts too. HTML wants it in attributes alone, and blocks of JSON are half quotes. */
const withPlainQuotes = (html: string): string =>
  html.replace(/<code translate="no">[^<]+/g, (code) => code.replaceAll("&quot;", '"'));
