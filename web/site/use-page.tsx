import { WithCode } from "../report/with-code.tsx";
import { CodeBlock } from "./code-block.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { USES } from "./uses.ts";

/** One use of the service, with a whole program. */
export function UsePage({ frame }: { frame: FrameOf<"use"> }) {
  const { title, lead, steps, language, program, run, failures, price } = USES[frame.page.use];
  const environment = `export REPUTE_URL=${frame.origin} REPUTE_KEY=rpt_…`;
  return (
    <Layout frame={frame} title={`${title} · Guide · Repute`} description={lead}>
      <p>
        <a href="/guide">Guide</a>
      </p>
      <div className="page-head">
        <h1>{title}</h1>
        <p className="muted">{lead}</p>
      </div>
      <ol className="steps">
        {steps.map((step) => (
          <li key={step}>
            <p>
              <WithCode text={step} />
            </p>
          </li>
        ))}
      </ol>
      <section className="home-section">
        <h2>When there is no plain answer</h2>
        <dl className="reading">
          {failures.map(([what, does]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="home-section">
        <h2>The program, {language}</h2>
        <p>It needs nothing but {language}. Start it like this:</p>
        <CodeBlock text={`${environment}\n${run}`} label="How to start it" />
        <CodeBlock text={program} label={`${title}, ${language}`} />
        <p className="muted">{price}</p>
      </section>
      <OtherUses than={frame.page.use} />
    </Layout>
  );
}

function OtherUses({ than }: { than: keyof typeof USES }) {
  return (
    <section className="home-section">
      <h2>Go on</h2>
      <ul className="examples-list">
        {Object.entries(USES)
          .filter(([name]) => name !== than)
          .map(([name, { title }]) => (
            <li key={name}>
              <a href={`/guide/${name}`}>{title}</a>
            </li>
          ))}
        <li>
          <a href="/docs">API reference</a>
        </li>
      </ul>
    </section>
  );
}
