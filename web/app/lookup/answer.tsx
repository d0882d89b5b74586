import { Download } from "lucide-react";
import { Fragment, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { curlOf, type Lookup, type ProductWord, productOf } from "../../api/products.ts";
import { ReportEnvironmentProvider } from "../../report/environment.tsx";
import { JsonTree } from "../../report/json-tree.tsx";
import { Target } from "../../report/outside.tsx";
import { visibleJson } from "../../report/outside-text.ts";
import { Report } from "../../report/report.tsx";
import { targetOf } from "../../report/target-of.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { saveFile } from "../../ui/csv.ts";
import { countOf, formatCount } from "../../ui/format.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { ShareButton } from "../results/share.tsx";
import { bodyOf, type LookupQuestion, lookupHref } from "./question.ts";

type AnswerProps = {
  readonly lookup: Lookup;
  readonly question: LookupQuestion;
  readonly onAsk: (question: LookupQuestion) => void;
};

/** A link inside an answer asks at once: its price is said before. */
const ENVIRONMENT = {
  isLive: true,
  hrefOf: lookupHref,
  costOf: (word: ProductWord) => `Look up for ${countOf(productOf(word)?.credits ?? 1, "credit")}`,
};

/** What came back: readable, and as it was sent. */
export function Answer({ lookup, question, onAsk }: AnswerProps) {
  const product = productOf(lookup.word);
  const json = jsonOf(lookup.report);
  const curl = product === null ? "" : curlOf(product, bodyOf(question), location.origin);
  const onClick = useAskOnClick(onAsk);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each report that comes is read from its heading on
  useEffect(() => heading.current?.focus(), [lookup.report]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press on a link inside, Enter included, arrives as a click
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
    <div className="answer" onClick={onClick}>
      <div className="answer-head">
        <div>
          <h2 className="answer-target" ref={heading} tabIndex={-1}>
            <Target text={targetOf(lookup.report, question.text)} />
          </h2>
          <p className="muted small">
            {product?.name} · <Charged lookup={lookup} />
          </p>
        </div>
        <div className="button-row">
          {lookup.resultId !== null && <ShareButton key={lookup.resultId} id={lookup.resultId} />}
          <CopyButton text={curl} what="the call" label="Copy as curl" />
          <Button onClick={() => saveFile(`repute-${lookup.word}.json`, "application/json", json)}>
            <Download aria-hidden="true" />
            JSON
          </Button>
        </div>
      </div>
      <ReportEnvironmentProvider value={ENVIRONMENT}>
        <Tabs
          label="Views of the answer"
          tabs={[
            { value: "report", label: "Report", panel: <Report word={lookup.word} report={lookup.report} /> },
            { value: "json", label: "JSON", panel: <Json report={lookup.report} text={json} /> },
            { value: "curl", label: "curl", panel: <Code text={curl} label="The call for a terminal" /> },
          ]}
        />
      </ReportEnvironmentProvider>
    </div>
  );
}

function Charged({ lookup: { charge, report } }: { readonly lookup: Lookup }) {
  const parts = [
    charge.charged === null ? null : `${countOf(charge.charged, "credit")} charged`,
    charge.remaining === null ? null : `${formatCount(charge.remaining)} left`,
    `${formatCount(report.elapsed_ms)} ms`,
  ];
  return parts
    .filter((part) => part !== null)
    .map((part, at) => (
      <Fragment key={part}>
        {at === 0 ? "" : " · "}
        <span className="whole">{part}</span>
      </Fragment>
    ));
}

const jsonOf = (report: object): string => visibleJson(JSON.stringify(report, null, 2));

const Json = ({ report, text }: { readonly report: Lookup["report"]; readonly text: string }) => (
  <section aria-label="The answer as JSON">
    <p className="json-copy">
      <CopyButton text={text} what="the answer as JSON" label="Copy JSON" />
    </p>
    <JsonTree value={report} unknown={report.unknown_fields} />
  </section>
);

const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <section aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre className="code answer-code" tabIndex={0}>
      <code translate="no">{text}</code>
    </pre>
  </section>
);

/** A link inside a report asks at once: the person is here, and pressed it. */
function useAskOnClick(onAsk: (question: LookupQuestion) => void): (event: React.MouseEvent) => void {
  const [, navigate] = useLocation();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0;
    if (link === null || !isPlain || link.origin !== location.origin || link.target !== "") return;
    const [, word = ""] = /^\/app\/lookup\/(\w+)$/.exec(link.pathname) ?? [];
    const known: ProductWord | undefined = productOf(word)?.word;
    if (known === undefined) return;
    event.preventDefault();
    const text = new URLSearchParams(link.search).get("q") ?? "";
    if (text === "") navigate(`/lookup/${known}`);
    else onAsk({ word: known, text, types: "ALL" });
  };
}
