import { toolHref } from "../report/environment.tsx";
import { Day } from "../report/moment.tsx";
import { Target } from "../report/outside.tsx";
import { plain } from "../report/outside-text.ts";
import { RawJson } from "../report/raw.tsx";
import { Report } from "../report/report.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { toolOf } from "./tools.ts";

/** A kept report by its link: as it was when it was looked up. */
export function SharedPage({ frame }: { frame: FrameOf<"shared"> }) {
  const { page } = frame;
  const tool = toolOf(page.tool);
  return (
    <Layout
      frame={frame}
      title={`${plain(page.target, 120)} · ${tool.title} · Repute`}
      description={tool.lead}
      isHidden
    >
      <article className="answer">
        <header className="answer-head">
          <h1>
            <Target text={page.target} />
          </h1>
        </header>
        <p className="notice">
          A shared report, as it was on{" "}
          <time dateTime={page.at}>{page.at.replace("T", " at ").replace("Z", " UTC")}</time>. It may be
          different now: <a href={toolHref(page.tool, page.target)}>look it up again</a>. This link works
          until <Day at={page.expires_at} />.
        </p>
        <Report word={page.tool} report={page.full} />
        <div className="answer-extras">
          <RawJson value={page.full} unknown={page.full.unknown_fields} />
        </div>
      </article>
    </Layout>
  );
}
