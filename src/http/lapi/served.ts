import { Refusal } from "../../base/failure.ts";
import type { ExportShelf, ExportStanding } from "../../exports/shelf.ts";
import { assertServed, type Served } from "../served-export.ts";

/** The export of a name, by default the first that bouncers can enforce. Throws where nothing of it may be told. */
export function servedExport(exports: Pick<ExportShelf, "names" | "find">, name: string | null): Served {
  const known = exports.names.flatMap((one) => exports.find(one) ?? []);
  const enforceable = known.filter(({ options }) => options.kind === "block" && options.target === "ip");
  const standing = enforceable.find(({ options }) => name === null || options.name === name);
  if (standing === undefined) throw noExport(name, enforceable);
  return assertServed(standing);
}

function noExport(name: string | null, enforceable: readonly ExportStanding[]): Refusal {
  const names = enforceable.map(({ options }) => options.name).join(", ") || "none";
  const which = name === null ? "There is no export" : `There is no export "${name}"`;
  return new Refusal("NOT_FOUND", { message: `${which} of kind block and target ip; there are: ${names}` });
}
