import type { FrameOf } from "./frame.ts";

/** What holds for every call, and the list of them all. */
export function ReferenceOverview({ frame: { origin, page } }: { frame: FrameOf<"reference"> }) {
  return (
    <>
      <div className="page-head">
        <h1>API reference</h1>
        <p className="muted">
          Made from <a href="/openapi.json">/openapi.json</a>, the OpenAPI 3.1 document of this installation.
          New here? The <a href="/guide">guide</a> starts from nothing.
        </p>
      </div>
      <Basics origin={origin} />
      <ErrorRules />
      <section className="operation">
        <h2>Every call</h2>
        {page.groups
          .filter(({ operations }) => operations.length > 0)
          .map(({ name, title, operations }) => (
            <div key={name} className="operation-list">
              <h3>{title}</h3>
              <ul>
                {operations.map(({ id, method, path, title: what }) => (
                  <li key={id}>
                    <a href={`/docs/${name}#${id}`}>
                      {method} {path}
                    </a>{" "}
                    <span className="muted">{what}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </section>
    </>
  );
}

function Basics({ origin }: { origin: string }) {
  return (
    <section className="operation">
      <h2>Calls</h2>
      <dl className="reading">
        <div>
          <dt>Address</dt>
          <dd>
            <code>{origin}</code>. Bodies are JSON, at most 1 MiB.
          </dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            In the header <code>X-API-Key</code>, or as <code>Authorization: Bearer</code>. Make one in the{" "}
            <a href="/app/keys">dashboard</a>; a key may be limited to products and networks.
          </dd>
        </div>
        <div>
          <dt>Answer</dt>
          <dd>
            <code>request_id</code>, <code>timestamp</code> and <code>data</code>, which each call describes.
            An unknown member of an answer is not an error: new ones are added.
          </dd>
        </div>
        <div>
          <dt>Limits</dt>
          <dd>
            Each endpoint has a window of its own for an account. <code>X-RateLimit-Limit</code>,{" "}
            <code>X-RateLimit-Remaining</code>, <code>X-RateLimit-Reset-After</code> and{" "}
            <code>X-Concurrency-Remaining</code> say how much of it is left.
          </dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>
            <code>X-Credits-Charged</code> and <code>X-Credits-Remaining</code> stand on each metered answer.
            What is refused or fails costs nothing, except for items of a bulk call.
          </dd>
        </div>
        <div>
          <dt>Unknown</dt>
          <dd>
            <code>unknown_fields</code> names the members whose source did not answer: they hold a default,
            not a finding. The verdict <code>unknown</code> means that too few engines answered to say clean.
          </dd>
        </div>
      </dl>
    </section>
  );
}

function ErrorRules() {
  return (
    <section className="operation">
      <h2>Errors</h2>
      <p>
        Go by status and <code>errors[0].code</code>; sentences may change. A 422 has <code>detail</code>{" "}
        instead: one entry for each fault. Every call below lists its errors with an example.
      </p>
      <dl className="reading">
        <div>
          <dt>401, 403</dt>
          <dd>The key is wrong, or may not be used for this. Trying again does not help.</dd>
        </div>
        <div>
          <dt>402</dt>
          <dd>
            The account has too few credits until <code>details.credits_reset_at</code>. Decide without the
            answer, and tell the person who runs the account.
          </dd>
        </div>
        <div>
          <dt>422</dt>
          <dd>The value is not valid, for example no address. Do not send it again.</dd>
        </div>
        <div>
          <dt>429</dt>
          <dd>
            Too many calls. Wait for the seconds of <code>Retry-After</code>, then send it again.
          </dd>
        </div>
        <div>
          <dt>500, 503</dt>
          <dd>
            Not charged. After a 503 wait for the seconds of <code>Retry-After</code>; after a 500 try once
            more.
          </dd>
        </div>
      </dl>
    </section>
  );
}
