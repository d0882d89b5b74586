import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { PRODUCTS, type Product, type ProductWord, productOf } from "../../api/products.ts";
import { Choice } from "../../ui/choice.tsx";
import { RecordTypes } from "../lookup/record-types.tsx";
import { Page } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { Check } from "./check.tsx";
import { type Checked, readSheet } from "./csv-in.ts";
import { Given } from "./given.tsx";
import { Results } from "./results.tsx";
import { useBulk } from "./run.ts";
import "./bulk.css";

const BULK = PRODUCTS.filter(({ bulk }) => bulk !== null);
const CHOICES = BULK.map(({ word, name }) => ({ value: word, label: name }));

/** Many lookups at once: paste or file in, table and file out. */
export function BulkPage() {
  const [word, setWord] = useState<ProductWord>("ip");
  const product = productOf(word);
  return (
    <Page
      title="Bulk"
      intro="Up to a hundred in each call, as many calls as it takes. Paste lines or CSV, or choose a file."
    >
      <Choice label="What to ask" options={CHOICES} value={word} onChange={setWord} />
      {product !== null && <Work key={word} product={product} />}
    </Page>
  );
}

function Work({ product }: { readonly product: Product }) {
  const [text, setText] = useState("");
  const [types, setTypes] = useState("ALL");
  const [given, setGiven] = useState<Checked | null>(null);
  const { is_reader: isReader } = useAccount();
  const bulk = useBulk();
  const balance = useQuery({ queryKey: ["overview"], queryFn: ({ signal }) => dashboard.overview(signal) });
  const { progress } = bulk;
  const start = (checked: Checked): void => {
    if (isReader) return;
    setGiven(checked);
    bulk.start({ product, values: checked.good, types });
  };
  if (progress !== null && given !== null) {
    return (
      <Results
        product={product}
        given={given}
        progress={progress}
        onCancel={bulk.cancel}
        onAgain={bulk.clear}
      />
    );
  }
  return (
    <>
      {product.word === "dns" && (
        <div className="bulk-types">
          <RecordTypes value={types} onChange={setTypes} />
        </div>
      )}
      <Given product={product} text={text} onText={setText} />
      {text.trim() !== "" && (
        <Check
          key={text}
          sheet={readSheet(text, product.word)}
          product={product}
          left={balance.data?.subscription.credits_remaining ?? null}
          canAsk={!isReader}
          onStart={start}
        />
      )}
    </>
  );
}
