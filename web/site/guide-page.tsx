import type { GuidePage as GuidePageData } from "../api/types.gen.ts";
import { counted } from "../report/numbers.ts";
import { CurlLine, curlOf, ShellLine } from "../report/raw.tsx";
import { WithCode } from "../report/with-code.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { USES } from "./uses.ts";

/** From nothing to a first report, and a line for each call. */
export function GuidePage({ frame }: { frame: FrameOf<"guide"> }) {
  const { origin, page } = frame;
  const [first] = page.products;
  return (
    <Layout
      frame={frame}
      title="Guide · Repute"
      description="Call Repute from a program: a key, a first call, how to read the answer, and a line for each product."
    >
      <div className="page-head">
        <h1>Guide</h1>
        <p className="muted">
          From nothing to a first report. Every field of every answer is in the{" "}
          <a href="/docs">API reference</a>, for programs in <a href="/openapi.json">OpenAPI 3.1</a>.
        </p>
      </div>
      <ol className="steps">
        <li>
          <h2>Try it without an account</h2>
          <p>The free tools return a part of the report, up to five times a minute each.</p>
          <ShellLine line={curlOf(`${origin}/api/free/check-ip`, { ip: "8.8.8.8" })} />
        </li>
        <li>
          <h2>Make a key</h2>
          <p>
            Sign in to the <a href="/app">dashboard</a> and make a key under Keys. It is shown once. Put it
            into the environment of your shell: <code>export REPUTE_KEY=rpt_…</code>
          </p>
        </li>
        <li>
          <h2>Call</h2>
          <p>The key goes into a header. The answer names every engine, the ones that were silent too.</p>
          {first === undefined ? null : (
            <ShellLine line={keyed(curlOf(`${origin}/api/${first.name}`, first.example))} />
          )}
        </li>
      </ol>
      <Reading />
      <Limits />
      <section className="home-section">
        <h2>Uses, with whole programs</h2>
        <ul className="products">
          {Object.entries(USES).map(([name, { title, lead }]) => (
            <li key={name}>
              <h3>
                <a href={`/guide/${name}`}>{title}</a>
              </h3>
              <p>{lead}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="home-section">
        <h2>Every product</h2>
        <ul className="products">
          {page.products.map((product) => (
            <Product key={product.name} product={product} origin={origin} />
          ))}
        </ul>
      </section>
    </Layout>
  );
}

/** The header with the key, its value left to the shell. */
const keyed = (line: string): string => line.replace(" -H ", ` -H "X-API-Key: $REPUTE_KEY" -H `);

function Reading() {
  return (
    <section className="home-section">
      <h2>Reading an answer</h2>
      <dl className="reading">
        <div>
          <dt className="mono">risk_score.verdict</dt>
          <dd>
            clean, low, suspicious, elevated, high or critical; unknown when too few engines answered with
            fresh data to say clean, not_applicable for addresses that are not public.
          </dd>
        </div>
        <div>
          <dt className="mono">risk_score.factors</dt>
          <dd>
            The reasons, each with its points and engines. They make the base; adjustments are named beside
            them.
          </dd>
        </div>
        <div>
          <dt className="mono">engines_unavailable</dt>
          <dd>
            The engines that did not answer, since when and why. They never count as clean. Those that are off
            are counted in <code>engines_disabled</code> and described at{" "}
            <a href="/api/engines">/api/engines</a>.
          </dd>
        </div>
        <div>
          <dt className="mono">?view=</dt>
          <dd>
            <code>standard</code>, unless you ask for <code>full</code> (every engine with all members),{" "}
            <code>compact</code> (what names the target, nothing empty) or <code>verdict</code> (the score
            alone). The price is the same.
          </dd>
        </div>
        <div>
          <dt className="mono">unknown_fields</dt>
          <dd>Fields whose source is missing or failed: their value is a default, not a result.</dd>
        </div>
        <div>
          <dt className="mono">freshness</dt>
          <dd>The age of the lists behind the verdict and, separately, of the place and network data.</dd>
        </div>
      </dl>
    </section>
  );
}

function Limits() {
  return (
    <section className="home-section">
      <h2>Limits and credits</h2>
      <p>
        Each endpoint has a limit of its own, shared by all keys of an account: as many calls begun in a
        second, and as many under way, as the <a href="/pricing">plan</a> has calls a second. URL reputation
        and the bulk endpoints have half of that. Above it the answer is 429, with <code>Retry-After</code>.
      </p>
      <p>
        A call that is refused or fails costs nothing. A bulk call counts as one call and costs the price of
        each of its items, of those that are refused or fail too.
      </p>
    </section>
  );
}

function Product({ product, origin }: { product: GuidePageData["products"][number]; origin: string }) {
  const { name, summary, description, price, has_bulk: hasBulk, free_path: freePath, example } = product;
  return (
    <li>
      <h3>{summary}</h3>
      <p className="muted">
        <span className="mono">POST /api/{name}</span> · {counted(price, "credit")}
        {hasBulk ? (
          <>
            {" · bulk at "}
            <span className="mono">/api/bulk/{name}</span>
          </>
        ) : null}
        {freePath === null ? null : (
          <>
            {" · free at "}
            <span className="mono">{freePath}</span>
          </>
        )}
      </p>
      <p>
        <WithCode text={description} />
      </p>
      <CurlLine line={keyed(curlOf(`${origin}/api/${name}`, example))} />
    </li>
  );
}
