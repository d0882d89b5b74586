import { InvalidValue } from "../../base/failure.ts";
import { turn } from "../../net/turns.ts";
import { productNamed } from "../../products/all.ts";
import { recogniseTarget } from "../../products/recognise.ts";
import type { NewLine, RecognisedLine } from "../../runs/run.ts";

type Given = {
  /** Number of the first row in its file. */
  readonly firstLine: number;
  readonly column: number;
  /** Name of the product for domain names. */
  readonly domainsAs: string;
  readonly rows: readonly (readonly string[])[];
};

/** The lines of a piece of a file, each with what it asks for. Rows without cells are left out; others keep their numbers. */
export async function readLines({ firstLine, column, domainsAs, rows }: Given): Promise<readonly NewLine[]> {
  const lines: NewLine[] = [];
  for (const [at, cells] of rows.entries()) {
    if (cells.length === 0) continue;
    await turn();
    lines.push({ line: firstLine + at, cells, judged: judge(cells[column] ?? "", domainsAs) });
  }
  return lines;
}

/** Characters of what cannot be looked up. */
const SHOWN = 120;

/** The product that a text is for, as the field of the home page decides, and the text as that product takes it. */
function judge(text: string, domainsAs: string): RecognisedLine {
  const target = text.trim().slice(0, SHOWN);
  if (target === "") return { product: null, target, note: "Nothing to look up in this column" };
  try {
    const { kind, product: first, value } = recogniseTarget(text);
    const product = kind === "domain" ? productNamed(domainsAs) : first;
    return { product: product.name, target: product.prepare({ [product.field]: value }).asked };
  } catch (error) {
    if (error instanceof InvalidValue) return { product: null, target, note: error.message };
    throw error;
  }
}
