import { CircleCheck, CircleDashed } from "lucide-react";
import { Link } from "wouter";
import { PRODUCTS } from "../../api/products.gen.ts";
import { curlOf } from "../../api/products.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Section } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { markSteps, useStepsMark } from "./steps-store.ts";

type StepsProps = {
  readonly steps: { readonly has_key: boolean; readonly has_call: boolean };
  /** Whether one of the last calls is a lookup of these pages, made by any browser. */
  readonly hasReport: boolean;
};

/** What a new account does next; each step ticks itself off, and all go when they are done or put away. */
export function Steps({ steps: { has_key: hasKey, has_call: hasCall }, hasReport }: StepsProps) {
  const { id } = useAccount();
  const isDismissed = useStepsMark(id, "dismissed");
  const isRemembered = useStepsMark(id, "looked-up");
  const hasLookup = isRemembered || hasReport;
  if (isDismissed || (hasKey && hasCall && hasLookup)) return null;
  return (
    <Section
      title="Next steps"
      aside={
        <Button tone="quiet" onClick={() => markSteps(id, "dismissed")}>
          Dismiss
        </Button>
      }
    >
      <ol className="steps" data-compact={(hasKey && hasCall) || undefined}>
        <Step isDone={hasKey} title="Make a key">
          <p>
            Every call is paid with a key of this account. <Link href="/keys">Make one</Link>
          </p>
        </Step>
        <Step isDone={hasCall} title="Make the first call">
          <FirstCall />
        </Step>
        <Step isDone={hasLookup} title="Look something up here">
          <p>
            An address, a domain, a URL: <Link href="/lookup">open Lookup</Link>
          </p>
        </Step>
      </ol>
    </Section>
  );
}

function FirstCall() {
  const [first] = PRODUCTS;
  const curl = curlOf(first, { [first.field]: first.example }, location.origin);
  return (
    <>
      <p>
        From a terminal, with the key in <code>REPUTE_KEY</code>; it appears below within seconds, with its
        status and what it cost:
      </p>
      <div className="steps-curl">
        <pre className="code">
          <code>{curl}</code>
        </pre>
        <CopyButton text={curl} what="the curl line" />
      </div>
    </>
  );
}

type StepProps = { readonly isDone: boolean; readonly title: string; readonly children: React.ReactNode };

function Step({ isDone, title, children }: StepProps) {
  return (
    <li className="step" data-done={isDone || undefined}>
      {isDone ? <CircleCheck size={20} aria-hidden="true" /> : <CircleDashed size={20} aria-hidden="true" />}
      <div>
        <p className="step-title">
          {title}
          {isDone && <span className="muted"> · done</span>}
        </p>
        {!isDone && children}
      </div>
    </li>
  );
}
