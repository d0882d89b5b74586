import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { type ProductWord, productOf } from "../../api/products.ts";
import { recognise } from "../../api/recognise.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { LONGEST_TARGET, plain } from "../../report/outside-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf, formatRelative } from "../../ui/format.ts";
import { looksLike } from "../lookup/kind.ts";
import { lookupPath, useLookup } from "../lookup/question.ts";
import { VerdictTag } from "../results/verdict-tag.tsx";
import { useSession } from "../session.tsx";
import { endpointName } from "../words.ts";

type Result = Shapes["ResultsView"]["results"][number];

/** One field for anything: what it is, what a look at it costs, and what was looked up before. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [isSent, setIsSent] = useState(false);
  const [, navigate] = useLocation();
  const { ask, canAsk } = useLookup();
  const recent = useRecent(text);
  const found = recognise(text);
  const askFor = (word: ProductWord, target: string): void => {
    onClose();
    const question = { word, text: target, types: "ALL" };
    // What cannot be asked now stands in the form, and costs nothing.
    if (!ask(question)) navigate(lookupPath(question));
  };
  const openKept = ({ id }: Result): void => {
    onClose();
    navigate(`/results/${encodeURIComponent(id)}`);
  };
  const send = (): void => {
    const [word] = found?.words ?? [];
    const [first] = recent;
    if (found !== null && word !== undefined) askFor(word, found.text);
    else if (text.trim() !== "" && first !== undefined) openKept(first);
    else setIsSent(true);
  };
  return (
    <Dialog title="Find" onClose={onClose}>
      <ByArrows>
        <Form className="form" label="Find" onSend={send}>
          <Field
            label="IP address, domain, URL, e-mail address, network or AS number"
            name="target"
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => {
              setText(target.value);
              setIsSent(false);
            }}
            error={isSent ? "Nothing is recognised here, and no recent result has it" : null}
            hint={<span role="status">{hintOf(text, found?.kind ?? null)}</span>}
          />
        </Form>
        {found !== null && (
          <Lookups words={found.words} canAsk={canAsk} onPick={(word) => askFor(word, found.text)} />
        )}
        {recent.length > 0 && <Recent results={recent} onPick={openKept} />}
      </ByArrows>
    </Dialog>
  );
}

const LOOKED_THROUGH = 100;
const SHOWN = 6;

/** The latest result of each target that holds the text. */
function useRecent(text: string): readonly Result[] {
  const days = useSession().data?.kept_result_days ?? 0;
  const { data } = useQuery({
    queryKey: ["results", "recent"],
    queryFn: ({ signal }) =>
      dashboard.results({ q: "", verdict: "", product: "", limit: LOOKED_THROUGH, offset: 0 }, signal),
    enabled: days > 0,
    staleTime: 0,
  });
  const sought = [text.trim(), recognise(text)?.text ?? text.trim()].map((one) => one.toLowerCase());
  const latest = new Map<string, Result>();
  for (const result of data?.results ?? []) {
    const key = `${result.product} ${result.target}`;
    const target = result.target.toLowerCase();
    if (!latest.has(key) && sought.some((one) => target.includes(one))) latest.set(key, result);
  }
  return [...latest.values()].slice(0, SHOWN);
}

function hintOf(text: string, kind: string | null): string {
  if (kind !== null) return looksLike(kind);
  return text.trim() === "" ? "Enter asks what is recognised." : "Not recognised so far.";
}

type LookupsProps = {
  readonly words: readonly ProductWord[];
  readonly canAsk: boolean;
  readonly onPick: (word: ProductWord) => void;
};

const Lookups = ({ words, canAsk, onPick }: LookupsProps) => (
  <Offers title={canAsk ? "Look up" : "Show in the form"}>
    {words.map((word) => (
      <Offer key={word} onPick={() => onPick(word)}>
        <span>{productOf(word)?.name}</span>
        <span className="muted">{countOf(productOf(word)?.credits ?? 1, "credit")}</span>
      </Offer>
    ))}
  </Offers>
);

type RecentProps = { readonly results: readonly Result[]; readonly onPick: (result: Result) => void };

const Recent = ({ results, onPick }: RecentProps) => (
  <Offers title="Recent, free to open">
    {results.map((result) => (
      <Offer key={result.id} onPick={() => onPick(result)}>
        <span>
          <span className="mono">{plain(result.target, LONGEST_TARGET)}</span>{" "}
          <span className="muted small search-about">
            {endpointName(result.product)} · {formatRelative(result.at, Date.now())}
          </span>
        </span>
        <VerdictTag verdict={result.verdict} />
      </Offer>
    ))}
  </Offers>
);

const Offers = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section className="search-offers">
    <h3>{title}</h3>
    <ul>{children}</ul>
  </section>
);

const Offer = ({ onPick, children }: { readonly onPick: () => void; readonly children: React.ReactNode }) => (
  <li>
    <button type="button" className="search-offer" onClick={onPick}>
      {children}
      <ArrowRight size={15} aria-hidden="true" />
    </button>
  </li>
);

/** Arrow keys go through the field and what is offered below it, as Tab does. */
function ByArrows({ children }: { readonly children: React.ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of what stands inside
    <div
      ref={frame}
      className="search"
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const stops = [...(frame.current?.querySelectorAll<HTMLElement>("input, .search-offer") ?? [])];
        const { activeElement: active } = document;
        const at = active instanceof HTMLElement ? stops.indexOf(active) : -1;
        stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
      }}
    >
      {children}
    </div>
  );
}
