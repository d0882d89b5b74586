import { useEffect, useRef } from "react";
import { BrandMark } from "../../ui/brand-mark.tsx";
import { ThemeSwitch } from "../../ui/theme.tsx";
import "./frame.css";

type FrameProps = {
  readonly title: string;
  readonly intro?: React.ReactNode;
  readonly children: React.ReactNode;
  readonly foot?: React.ReactNode;
};

/** What stands around the pages before signing in. */
export function Frame({ title, intro, children, foot }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Repute`;
    const field = heading.current
      ?.closest("main")
      ?.querySelector<HTMLElement>("input:not([type=radio], [readonly])");
    (field ?? heading.current)?.focus();
  }, [title]);
  return (
    <div className="frame">
      <header className="frame-head">
        <a className="brand" href="/">
          <BrandMark />
          Repute
        </a>
        <ThemeSwitch />
      </header>
      <main className="frame-main">
        <div className="frame-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro !== undefined && <p className="muted">{intro}</p>}
        </div>
        {children}
        {foot !== undefined && <div className="frame-foot">{foot}</div>}
      </main>
    </div>
  );
}
