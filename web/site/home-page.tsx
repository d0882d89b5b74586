import { ArrowRight } from "lucide-react";
import { TOOLS } from "../api/products.gen.ts";
import { toolHref } from "../report/environment.tsx";
import { count } from "../report/numbers.ts";
import { plain } from "../report/outside-text.ts";
import { curlOf, ShellLine } from "../report/raw.tsx";
import type { FrameOf, SignedInPerson } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { PersonFields } from "./person-fields.tsx";
import { Sample } from "./sample.tsx";

const EXAMPLES = [
  ["ip", "8.8.8.8"],
  ["domain", "example.com"],
  ["url", "https://example.com"],
  ["email", "jane.doe@example.com"],
  ["whois", "AS15169"],
] as const;

const inWords = (amount: number): string =>
  ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"][amount] ?? count(amount);

/** One field that takes anything, and what to expect of the answer. */
export function HomePage({ frame }: { frame: FrameOf<"home"> }) {
  const { asked, fault, engines } = frame.page;
  return (
    <Layout
      frame={frame}
      title={fault === null ? "Repute: is this address safe?" : "Nothing recognised · Repute"}
      description="Look up an IP address, domain, URL, e-mail address, network or AS number: a score with its reasons, and who did not answer."
      isHidden={fault !== null}
    >
      <div className="hero">
        <div className="hero-ask">
          <h1>Is this address safe?</h1>
          <p className="hero-lead">
            Paste an IP address, domain, URL, <span className="whole">e-mail</span> address, network or AS
            number. The answer is a score with its reasons.
          </p>
          <AnythingForm asked={asked} fault={fault} person={frame.person} />
          <p className="examples">
            <span className="muted">Try</span>
            {EXAMPLES.map(([tool, value]) => (
              <a key={value} className="mono" href={toolHref(tool, value)}>
                {value}
              </a>
            ))}
          </p>
        </div>
        <Sample />
      </div>
      <Promises engines={engines} />
      <section className="home-section" aria-labelledby="tools">
        <h2 id="tools">{inWords(TOOLS.length)} tools, no account</h2>
        <ul className="tool-grid">
          {TOOLS.map(({ name, title, lead }) => (
            <li key={name}>
              <h3>
                <a href={`/tools/${name}`}>
                  {title} <ArrowRight aria-hidden="true" className="inline-icon" />
                </a>
              </h3>
              <p className="muted">{lead}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="home-section" aria-labelledby="terminal">
        <h2 id="terminal">The same from a terminal</h2>
        <p className="muted">No key is needed for the free tools: five calls a minute each.</p>
        <ShellLine line={curlOf(`${frame.origin}/api/free/check-ip`, { ip: "8.8.8.8" })} />
      </section>
    </Layout>
  );
}

type AnythingProps = {
  readonly asked: string;
  readonly fault: string | null;
  readonly person: SignedInPerson | null;
};

function AnythingForm({ asked, fault, person }: AnythingProps) {
  return (
    <form className="anything" action="/lookup" method={person === null ? "get" : "post"}>
      {person === null ? null : <PersonFields person={person} />}
      <label className="visually-hidden" htmlFor="q">
        IP address, domain, URL, e-mail address, network or AS number
      </label>
      <input
        id="q"
        name="q"
        type="text"
        defaultValue={plain(asked, 4_096)}
        placeholder="8.8.8.8, example.com, https://…"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : "q-fault"}
      />
      <button type="submit" className="button button-main">
        Look up
      </button>
      {fault === null ? null : (
        <p className="field-fault" id="q-fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}

function Promises({ engines }: { engines: number }) {
  return (
    <ul className="promises">
      <li>
        <h2>It says why</h2>
        <p>
          Each point of a score belongs to a reason: which list names the target, how closely, and how long
          ago.
        </p>
      </li>
      <li>
        <h2>Silence is not innocence</h2>
        <p>
          {engines < 2 ? "Engines" : `Of its ${count(engines)} engines, those`} that do not answer are named
          and never counted as clean. When too few answer, there is no verdict.
        </p>
      </li>
      <li>
        <h2>It is yours</h2>
        <p>
          It runs on one machine from data that comes with it. Only the sources that are asked learn what you
          look up.
        </p>
      </li>
    </ul>
  );
}
