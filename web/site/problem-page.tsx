import { plain } from "../report/outside-text.ts";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

const TITLES: Readonly<Record<number, string>> = {
  400: "This request cannot be read",
  404: "There is no such page",
  429: "Too many requests",
  500: "The service failed",
  503: "The service cannot answer now",
};

const LOST = "Check the address for a mistake, or ask where you got it for another one.";

/** What went wrong, whose fault it is, and what to do. */
export function ProblemPage({ frame }: { frame: FrameOf<"problem"> }) {
  const { problem } = frame.page;
  const title = TITLES[problem.status] ?? "This did not work";
  const isOurs = problem.status >= 500;
  return (
    <Layout
      frame={frame}
      title={`${title} · Repute`}
      description={title}
      isHidden
      refreshS={problem.status === 503 ? problem.retry_after_s : null}
    >
      <div className="problem">
        <p className="problem-status mono">{problem.status}</p>
        <h1>{title}</h1>
        {problem.status === 500 ? null : (
          <p>
            {plain(problem.message)}
            {problem.status === 404 ? `. ${LOST}` : ""}
          </p>
        )}
        {isOurs ? <p>It is not your fault. Nothing was charged.</p> : null}
        {problem.retry_after_s === null ? null : <p>Try again in {problem.retry_after_s} seconds.</p>}
        <p>
          <a className="button button-main" href="/">
            Go to the home page
          </a>
        </p>
        <p className="muted">
          Request <span className="mono">{problem.request_id}</span>
        </p>
      </div>
    </Layout>
  );
}
