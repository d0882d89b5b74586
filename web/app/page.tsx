import { useEffect, useRef } from "react";
import "./page.css";

let pagesShown = 0;

type PageProps = {
  readonly title: string;
  readonly intro?: React.ReactNode;
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
};

/** A page: its title in the window and as the one heading, which takes the focus when the page was gone to. */
export function Page({ title, intro, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Repute`;
  }, [title]);
  useEffect(() => {
    pagesShown += 1;
    if (pagesShown > 1 && document.activeElement?.closest("dialog") === null) heading.current?.focus();
    if (pagesShown > 1) scrollTo(0, 0);
  }, []);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro !== undefined && <p className="page-intro">{intro}</p>}
        </div>
        {actions !== undefined && <div className="button-row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = {
  readonly title: string;
  readonly aside?: React.ReactNode;
  readonly children: React.ReactNode;
};

/** A part of a page under its own heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

type FigureProps = {
  readonly label: string;
  readonly value: React.ReactNode;
  readonly children?: React.ReactNode;
};

/** One number that matters, with what puts it into proportion below. */
export function Figure({ label, value, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd className="figure-value">{value}</dd>
      {children !== undefined && <dd className="figure-more">{children}</dd>}
    </div>
  );
}

/** Numbers side by side. */
export const Figures = ({ children }: { readonly children: React.ReactNode }) => (
  <dl className="figures">{children}</dl>
);
