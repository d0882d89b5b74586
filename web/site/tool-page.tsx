import { TOOLS } from "../api/products.gen.ts";
import type { ToolPage as ToolPageData } from "../api/types.gen.ts";
import { toolHref } from "../report/environment.tsx";
import { FreeReport } from "../report/free-report.tsx";
import { Target } from "../report/outside.tsx";
import { plain } from "../report/outside-text.ts";
import { CurlLine, curlOf, RawJson } from "../report/raw.tsx";
import { Report } from "../report/report.tsx";
import { targetOf } from "../report/target-of.ts";
import type { FrameOf, SignedInPerson } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { PersonFields } from "./person-fields.tsx";
import { RecordTypes } from "./record-types.tsx";
import { type Tool, toolOf } from "./tools.ts";

/** A free tool: its form, and the report of what was asked. */
export function ToolPage({ frame }: { frame: FrameOf<"tool"> }) {
  const { page } = frame;
  const tool = toolOf(page.tool);
  const shown = plain(shownTarget(page), 120);
  const retry = page.problem?.retry_after_s ?? null;
  return (
    <Layout
      frame={frame}
      title={shown === "" ? `${tool.title} · Repute` : `${shown} · ${tool.title} · Repute`}
      description={page.report === null ? tool.lead : plain(page.report.message, 200)}
      isHidden={page.asked !== ""}
      refreshS={page.problem?.status === 503 ? retry : null}
    >
      <ToolTabs current={page.tool} />
      {page.asked === "" ? (
        <div className="page-head">
          <h1>{tool.title}</h1>
          <p className="muted">{tool.lead}</p>
        </div>
      ) : null}
      <ToolForm tool={tool} frame={frame} />
      {page.asked === "" ? (
        <Introduction tool={tool} page={page} person={frame.person} />
      ) : (
        <Answer frame={frame} tool={tool} />
      )}
    </Layout>
  );
}

function ToolTabs({ current }: { current: ToolPageData["tool"] }) {
  return (
    <nav className="tool-tabs" aria-label="Tools">
      <ul>
        {TOOLS.map(({ name, tab }) => (
          <li key={name}>
            <a href={`/tools/${name}`} aria-current={name === current ? "page" : undefined}>
              {tab}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ToolForm({ tool, frame: { page, person } }: { tool: Tool; frame: FrameOf<"tool"> }) {
  const isFaulty = page.problem?.status === 422;
  return (
    <form className="tool-form" action={`/tools/${tool.name}`} method={person === null ? "get" : "post"}>
      {person === null ? null : <PersonFields person={person} />}
      <label htmlFor="q">{tool.label}</label>
      <div className="tool-form-row">
        <input
          id="q"
          name="q"
          type="text"
          className="mono"
          defaultValue={plain(page.asked, 4_096)}
          placeholder={tool.example}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          aria-invalid={isFaulty ? true : undefined}
          aria-describedby={isFaulty ? "problem" : undefined}
        />
        {tool.name === "dns" ? (
          <RecordTypes chosen={page.record_type} areAllUsual={person !== null || page.depth === "full"} />
        ) : null}
        <button type="submit" className="button button-main">
          Look up
        </button>
      </div>
      {person === null ? null : (
        <p className="muted">
          The whole report, for {priceOf(page)} of {person.email}.
        </p>
      )}
    </form>
  );
}

const priceOf = ({ price }: ToolPageData): string => (price === 1 ? "1 credit" : `${price} credits`);

type IntroductionProps = {
  readonly tool: Tool;
  readonly page: ToolPageData;
  readonly person: SignedInPerson | null;
};

function Introduction({ tool, page, person }: IntroductionProps) {
  if (person !== null) return null;
  return (
    <div className="introduction">
      <p>
        For example <a href={toolHref(tool.name, tool.example)}>{tool.example}</a>. Five lookups a minute are
        free, and each report has an address that you can share.
      </p>
      <p className="muted">
        With an account: {tool.full}. {limitsOf(page)} <a href="/guide">How to call it</a>
      </p>
    </div>
  );
}

function Answer({ frame, tool }: { frame: FrameOf<"tool">; tool: Tool }) {
  const { page, origin, person } = frame;
  const target = shownTarget(page);
  const link = `${origin}${toolHref(page.tool, target)}${page.record_type === "" ? "" : `?type=${encodeURIComponent(page.record_type)}`}`;
  return (
    <article className="answer">
      <header className="answer-head">
        <h1>
          <Target text={target} />
        </h1>{" "}
        {page.report === null && page.full === null ? null : (
          <button type="button" className="button button-quiet" data-copy={link} hidden>
            Copy link
          </button>
        )}
      </header>
      {page.problem === null ? null : <Problem page={page} problem={page.problem} person={person} />}
      {(page.problem?.status === 429 || isUnasked(page)) && person !== null ? (
        <AskForAll tool={tool} page={page} person={person} />
      ) : null}
      {page.full === null ? null : (
        <>
          {page.charge === null ? null : <p className="muted">{page.charge}</p>}
          <Report word={page.tool} report={page.full} />
          <div className="answer-extras">
            <RawJson value={page.full} unknown={page.full.unknown_fields} />
          </div>
        </>
      )}
      {page.report === null || page.full !== null ? null : (
        <>
          <FreeReport word={page.tool} report={page.report} />
          {person === null ? (
            <MoreWithAccount tool={tool} />
          ) : (
            <AskForAll tool={tool} page={page} person={person} />
          )}
          <div className="answer-extras">
            {tool.path === null ? null : (
              <CurlLine line={curlOf(`${origin}${tool.path}`, bodyOf(page, tool))} />
            )}
            <RawJson value={page.report} unknown={page.report.unknown_fields} />
          </div>
        </>
      )}
    </article>
  );
}

/** Once there is a report, its own spelling of what was asked. */
const shownTarget = ({ report, full, asked }: ToolPageData): string => targetOf(full ?? report ?? {}, asked);

/** The tools are for who is signed in: nothing is looked up by an address alone. */
const isUnasked = ({ report, full, problem }: ToolPageData): boolean =>
  report === null && full === null && problem === null;

/** The same once more with everything, at its price: an address alone never spends. */
const AskForAll = ({ tool, page, person }: IntroductionProps & { readonly person: SignedInPerson }) => (
  <form className="more" action={toolHref(page.tool, page.asked)} method="post">
    <PersonFields person={person} />
    <input type="hidden" name="q" value={page.asked} />
    <input type="hidden" name="type" value={page.record_type} />
    <p>The whole report has {tool.full}.</p>
    <button type="submit" className="button button-main">
      {`Whole report for ${priceOf(page)}`}
    </button>
  </form>
);

/** What an account may ask, in numbers of the smallest plan. */
const limitsOf = ({
  free_plan: { requests_per_second: perSecond, credits_per_month: credits },
}: ToolPageData): string =>
  `The Free plan allows ${perSecond} ${perSecond === 1 ? "lookup" : "lookups"} a second and ${credits} credits a month.`;

type ProblemProps = Omit<IntroductionProps, "tool"> & {
  readonly problem: NonNullable<ToolPageData["problem"]>;
};

function Problem({ page, problem, person }: ProblemProps) {
  const titles: Readonly<Record<number, string>> = {
    422: "This cannot be looked up",
    402: "Not enough credits",
    429: "Five lookups a minute are free",
    503: "Not ready yet",
  };
  return (
    <section className="notice" id="problem" role="alert">
      <h2>{titles[problem.status] ?? "This look-up failed"}</h2>
      <p>{plain(problem.message)}</p>
      {problem.status === 429 && problem.retry_after_s !== null && person === null ? (
        <p>
          {limitsOf(page)} <a href="/pricing">See the plans</a>
        </p>
      ) : null}
      {problem.status >= 500 ? (
        <p className="muted">
          Request <span className="mono">{problem.request_id}</span>
        </p>
      ) : null}
    </section>
  );
}

function MoreWithAccount({ tool }: { tool: Tool }) {
  return (
    <aside className="more" aria-label="With an account">
      <p>
        With an account you also see {tool.full}. <a href="/app">Open the dashboard</a>
      </p>
    </aside>
  );
}

function bodyOf(page: ToolPageData, tool: Tool): object {
  const type = page.record_type === "" ? {} : { record_type: page.record_type };
  return { [tool.field]: page.asked, ...type };
}
