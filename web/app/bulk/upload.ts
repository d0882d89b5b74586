import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { piecesOf, type Sheet } from "./csv-in.ts";

export type DomainsAs = NonNullable<Shapes["RunLinesInput"]["domains_as"]>;

type Upload = {
  readonly name: string;
  readonly sheet: Sheet;
  readonly column: number;
  readonly domainsAs: DomainsAs;
};

/** Sends a sheet to the service as a run that is not started yet; its id. Throws CallFailure. */
export async function uploadRun({ name, sheet, column, domainsAs }: Upload): Promise<string> {
  const { id } = await dashboard.createRun({ name, columns: [...sheet.columns] });
  for (const { firstLine, rows } of piecesOf(sheet)) {
    await dashboard.addRunLines(id, {
      ...{ first_line: firstLine, column, domains_as: domainsAs },
      rows: rows.map((row) => [...row]),
    });
  }
  return id;
}
