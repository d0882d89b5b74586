import { Search } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { faultOf } from "../../api/failure.ts";
import { PRODUCTS } from "../../api/products.gen.ts";
import { type ProductWord, productOf } from "../../api/products.ts";
import { fits, recognise, valueFor } from "../../api/recognise.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { looksLike } from "./kind.ts";
import type { LookupQuestion } from "./question.ts";
import { RecordTypes } from "./record-types.tsx";

const CHOICES = PRODUCTS.map(({ word, name }) => ({ value: word, label: name }));

type AskFormProps = {
  readonly question: LookupQuestion;
  readonly hasWord: boolean;
  readonly error: unknown;
  readonly isBusy: boolean;
  /** False: this session only reads. */
  readonly canAsk: boolean;
  readonly onAsk: (question: LookupQuestion) => void;
};

/** One field that takes anything and recognises it. A product that is chosen otherwise counts for what is asked next alone. */
export function AskForm({ question, hasWord, error, isBusy, canAsk, onAsk }: AskFormProps) {
  const [text, setText] = useState(question.text);
  const [types, setTypes] = useState(question.types);
  const { word, picked, kind, pick } = useWord(text, { question, hasWord });
  const product = productOf(word);
  const [isEmpty, setIsEmpty] = useState(false);
  const fault = product === null ? null : faultOf(error, product.field);
  const asked = valueFor(word, text) ?? text.trim();
  const isSame = asked === question.text;
  const field = useKeptFocus(question);
  return (
    <Form
      className="ask"
      error={error}
      label="Look something up"
      onSend={() => {
        setIsEmpty(text.trim() === "");
        if (text.trim() !== "" && canAsk && !isBusy) onAsk({ word, text: asked, types });
      }}
    >
      <div className="ask-line">
        <Field
          label={
            picked === null
              ? "IP address, domain, URL, e-mail address, network or AS number"
              : (product?.label ?? "")
          }
          name="text"
          ref={field}
          value={text}
          placeholder={product?.example ?? ""}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          error={isEmpty && text.trim() === "" ? "Type what to look up" : isSame ? fault : null}
          hint={hintOf(text, kind, product?.credits ?? 1)}
        />
        <Button type="submit" tone="primary" disabled={!canAsk} isBusy={isBusy}>
          <Search aria-hidden="true" />
          Look up
        </Button>
      </div>
      <Choice label="What to ask" options={CHOICES} value={word} onChange={pick} />
      {word === "dns" && <RecordTypes value={types} onChange={setTypes} />}
    </Form>
  );
}

/** The product: the one that was chosen, that of the address as long as its text stands there, or what the text looks like. */
function useWord(text: string, { question, hasWord }: Pick<AskFormProps, "question" | "hasWord">) {
  const [chosen, pick] = useState<ProductWord | null>(null);
  const found = recognise(text);
  const isOfAddress = hasWord && (question.text === "" || text === question.text);
  const picked = chosen ?? (isOfAddress ? question.word : null);
  const isKept = picked !== null && (found === null || fits(picked, text));
  return { word: isKept ? picked : (found?.words[0] ?? "ip"), picked, kind: found?.kind ?? null, pick };
}

/** A question that was asked brings a new form in place of the one that had the focus. */
function useKeptFocus({ text }: LookupQuestion): React.RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (text !== "" && document.activeElement === document.body) field.current?.focus();
  }, [text]);
  return field;
}

function hintOf(text: string, kind: string | null, credits: number): string {
  const price = `Costs ${countOf(credits, "credit")}`;
  if (text.trim() === "") return `${price}.`;
  return kind === null ? `${price}. Not recognised so far.` : `${price}. ${looksLike(kind)}`;
}
