import { Link } from "wouter";
import { faultOf } from "../../api/failure.ts";
import { productOf } from "../../api/products.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { Answer } from "./answer.tsx";
import { AskForm } from "./ask-form.tsx";
import { type LookupQuestion, useLookup } from "./question.ts";
import { Refused } from "./refused.tsx";
import "./lookup.css";

/** Look up anything, and read the answer. */
export function LookupPage() {
  const lookup = useLookup();
  const { question, answer, ask, cancel, canAsk, hasWord } = lookup;
  return (
    <Page title="Lookup">
      <AskForm
        key={`${question.word} ${question.text}`}
        question={question}
        hasWord={hasWord}
        error={answer.error}
        isBusy={answer.isFetching}
        canAsk={canAsk}
        onAsk={ask}
      />
      <p className="visually-hidden" role="status">
        {answer.data !== undefined && `Report on ${question.text} is ready`}
      </p>
      <Outcome lookup={lookup} onCancel={cancel} />
    </Page>
  );
}

function Outcome({
  lookup: { question, answer, ask },
  onCancel,
}: {
  readonly lookup: ReturnType<typeof useLookup>;
  readonly onCancel: () => void;
}) {
  if (answer.isFetching) {
    return (
      <>
        <p className="ask-cancel">
          <Button tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </p>
        <Skeleton what="the report" rows={10} />
      </>
    );
  }
  if (answer.error !== null) {
    const isShown = faultOf(answer.error, productOf(question.word)?.field ?? "") !== null;
    return isShown ? null : <Refused error={answer.error} onRetry={() => ask(question)} />;
  }
  if (answer.data !== undefined) return <Answer lookup={answer.data} question={question} onAsk={ask} />;
  return <Waiting question={question} />;
}

function Waiting({ question }: { readonly question: LookupQuestion }) {
  if (question.text !== "") {
    return (
      <Empty title="Ready to look up">
        <p>
          Nothing is looked up or charged until you press Look up. <Link href="/results">Results</Link> has
          the reports of earlier lookups, which cost nothing to open.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="One report, every source">
      <p>The verdict in one line, the reasons with their points, and the engines that did not answer.</p>
    </Empty>
  );
}
