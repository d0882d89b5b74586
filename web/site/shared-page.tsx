import { toolHref } from "../report/environment.tsx";
import { Day } from "../report/moment.tsx";
import { day } from "../report/numbers.ts";
import { Target } from "../report/outside.tsx";
import { plain } from "../report/outside-text.ts";
import { RawJson } from "../report/raw.tsx";
import { Report } from "../report/report.tsx";
import { targetOf } from "../report/target-of.ts";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { toolOf } from "./tools.ts";

/** A kept report by its link: as it was when it was looked up. */
export function SharedPage({ frame }: { frame: FrameOf<"shared"> }) {
  const { page } = frame;
  const tool = toolOf(page.tool);
  // A question for records is kept with their types, which no address has.
  const target = targetOf(page.full, page.target);
  return (
    <Layout
      frame={frame}
      title={`${plain(target, 120)} · ${tool.title} · Repute`}
      description={tool.lead}
      isHidden
    >
      <article className="answer">
        <header className="answer-head">
          <h1>
            <Target text={target} />
          </h1>
        </header>
        <p className="notice">
          A shared report, as it was on{" "}
          <time dateTime={page.at}>
            {day(page.at)} at {page.at.slice(11, 19)} UTC
          </time>
          . It may be different now: <a href={toolHref(page.tool, target)}>look it up again</a>. This link
          works until <Day at={page.expires_at} />.
        </p>
        <Report word={page.tool} report={page.full} />
        <div className="answer-extras">
          <RawJson value={page.full} unknown={page.full.unknown_fields} />
        </div>
      </article>
    </Layout>
  );
}
