import type { ReferenceOperation } from "../api/types.gen.ts";
import { counted } from "../report/numbers.ts";
import { WithCode } from "../report/with-code.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Fields } from "./fields.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { ReferenceOverview } from "./reference-overview.tsx";

type Frame = FrameOf<"reference">;

/** The API reference: the first page, or that of a product. */
export function ReferencePage({ frame }: { frame: Frame }) {
  const { page } = frame;
  const title = page.groups.find(({ name }) => name === page.group)?.title ?? "";
  const isFirst = page.group === "";
  return (
    <Layout
      frame={frame}
      title={isFirst ? "API reference · Repute" : `${title} · API reference · Repute`}
      description="Every call of the Repute API: fields, errors, examples and code, made from its OpenAPI document."
    >
      <div className="reference">
        <SideNavigation page={page} />
        <div className="reference-body">
          {isFirst ? <ReferenceOverview frame={frame} /> : <h1>{title}</h1>}
          {page.operations.map((operation) => (
            <Operation key={operation.id} operation={operation} origin={frame.origin} />
          ))}
        </div>
      </div>
    </Layout>
  );
}

const pathOf = (name: string): string => (name === "" ? "/docs" : `/docs/${name}`);

function SideNavigation({ page }: { page: Frame["page"] }) {
  return (
    <nav className="reference-nav" aria-label="API reference">
      <ul>
        {page.groups.map(({ name, title, operations }) => (
          <li key={name}>
            <a href={pathOf(name)} aria-current={name === page.group ? "page" : undefined}>
              {title}
            </a>
            {name === page.group && operations.length > 1 ? (
              <ul>
                {operations.map(({ id, method, path }) => (
                  <li key={id}>
                    <a href={`#${id}`}>
                      {method} {path}
                    </a>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The page's heading names the product: those below it say which of its calls they are about. */
const HEADINGS: Readonly<Record<ReferenceOperation["kind"], string | null>> = {
  single: "One value",
  bulk: "Up to 100 values",
  free: "Free tool",
  other: null,
};

type OperationProps = { readonly operation: ReferenceOperation; readonly origin: string };

function Operation({ operation, origin }: OperationProps) {
  const { id, kind, method, path, title, description } = operation;
  return (
    <section className="operation" aria-labelledby={id}>
      <h2 id={id}>{HEADINGS[kind] ?? title}</h2>
      <p className="operation-path">
        <strong>{method}</strong> <code>{path}</code>
      </p>
      <Facts operation={operation} />
      <p>
        <WithCode text={description} />
      </p>
      <TryIt operation={operation} origin={origin} />
      <Snippets operation={operation} />
      <Request operation={operation} />
      <Answer operation={operation} />
      <Errors operation={operation} />
    </section>
  );
}

const LIMITS = {
  plan: "As many calls a second, and at once, as the plan has",
  half: "Half as many calls a second, and at once, as the plan has",
  free: "Five calls a minute for each client address (IPv6: /64)",
} as const;

const KEYS = {
  key: "API key",
  "key or session": "API key, or the session of the dashboard",
  none: "None",
} as const;

function Facts({ operation: { price, limit, auth, kind } }: { operation: ReferenceOperation }) {
  const cost = price === null ? "Free" : counted(price, "credit");
  const facts = [
    ["Price", kind === "bulk" ? `${cost} for each item` : cost],
    ["Key", KEYS[auth]],
    ["Limit", limit === null ? "None of its own" : LIMITS[limit]],
  ] as const;
  return (
    <dl className="operation-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One of each language at a time is open; without a script its text is there to be marked. */
function Snippets({ operation: { id, snippets, title } }: { operation: ReferenceOperation }) {
  return (
    <>
      <h3>Code</h3>
      <p className="muted small" data-follows={id} role="status" hidden />
      <div className="snippets">
        {snippets.map(({ title: language, text }, at) => (
          <details key={language} name={`code-${id}`} open={at === 0} data-language={language}>
            <summary>{language}</summary>
            <CodeBlock text={text} label={`${title} with ${language}`} />
          </details>
        ))}
      </div>
    </>
  );
}

function Request({ operation: { id, title, parameters, request, body } }: { operation: ReferenceOperation }) {
  if (parameters.length === 0 && body === null) return null;
  return (
    <>
      <h3 id={`${id}-request`}>Request</h3>
      {parameters.length === 0 ? null : (
        <dl className="fields">
          {parameters.map(({ name, place, description, values, preset }) => (
            <div key={name}>
              <dt>
                <code>{name}</code> <span className="muted">in the {place}</span>
              </dt>
              <dd>
                <WithCode text={description} />
                {values.length === 0 ? null : <span className="muted"> One of {values.join(", ")}.</span>}
                {preset === null ? null : <span className="muted"> Without it: {preset}.</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {body === null ? null : (
        <>
          <p className="muted">Body, JSON:</p>
          <Fields fields={request} hasRequired />
          <CodeBlock text={body} label={`Example of a request: ${title}`} />
        </>
      )}
    </>
  );
}

function Answer({ operation: { title, answers, examples } }: { operation: ReferenceOperation }) {
  return (
    <>
      <h3>Answer</h3>
      {answers.map(({ title: form, fields }) => (
        <details key={form} className="fold">
          <summary>{form === "" ? `Members of data (${fields.length})` : `Members of data: ${form}`}</summary>
          <Fields fields={fields} />
        </details>
      ))}
      {examples.map(({ title: name, text }) => (
        <details key={name} className="fold">
          <summary>Example: {name}</summary>
          <CodeBlock text={text} label={`Example of an answer, ${name}: ${title}`} />
        </details>
      ))}
    </>
  );
}

function Errors({ operation: { title, errors } }: { operation: ReferenceOperation }) {
  return (
    <>
      <h3>Errors</h3>
      <div className="errors">
        {errors.map(({ status, code, text, example }) => (
          <details key={status} className="fold">
            <summary>
              {status} <code>{code}</code> <span className="muted">{text}</span>
            </summary>
            <CodeBlock text={example} label={`Example of ${status}: ${title}`} />
          </details>
        ))}
      </div>
    </>
  );
}

/** Shown by the script that makes it work. */
function TryIt({ operation, origin }: OperationProps) {
  const { id, method, path, session_path: sessionPath, auth, parameters, body } = operation;
  const chosen = parameters.filter(({ place }) => place === "query");
  return (
    <form
      className="try-it"
      data-try={path}
      data-method={method}
      data-session={sessionPath ?? undefined}
      data-origin={origin}
      hidden
    >
      <h3>Try it</h3>
      {auth === "none" ? null : (
        <div className="try-key">
          <label htmlFor={`${id}-key`}>
            API key{" "}
            <span className="muted">
              (signed in to the dashboard, leave it empty: your session pays. It is sent with this call and
              kept nowhere)
            </span>
          </label>
          <input id={`${id}-key`} name="key" type="password" autoComplete="off" spellCheck={false} />
          <button type="button" className="button" data-show={`${id}-key`} aria-pressed={false}>
            Show<span className="visually-hidden"> the API key</span>
          </button>
        </div>
      )}
      {chosen.map(({ name, values }) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          {name}
          {values.length === 0 ? (
            <input id={`${id}-${name}`} name={`query-${name}`} type="text" autoComplete="off" />
          ) : (
            <select id={`${id}-${name}`} name={`query-${name}`}>
              <option value="">not sent</option>
              {values.map((value) => (
                <option key={value}>{value}</option>
              ))}
            </select>
          )}
        </label>
      ))}
      {body === null ? null : (
        <label htmlFor={`${id}-body`}>
          Body
          <textarea
            id={`${id}-body`}
            name="body"
            rows={body.split("\n").length}
            spellCheck={false}
            defaultValue={body}
          />
        </label>
      )}
      <button type="submit" className="button button-main">
        Send
      </button>
      <output className="try-answer" />
    </form>
  );
}
