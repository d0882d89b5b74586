import { z } from "zod";
import { DISABLED_CLASSES, type Off } from "./disabled.ts";

const CERTAINTIES = ["yes", "no", "unknown"] as const;

/** On what terms a publisher gives its list away, as far as they are known. */
export const licenceSchema = z.strictObject({
  spdx: z.string().nullable().describe("SPDX identifier; null: the terms have none, or are not stated"),
  url: z.string().nullable().describe("Where the terms stand, or the publisher is"),
  commercial: z.enum(CERTAINTIES).describe("Whether commercial use is allowed"),
  redistribution: z.enum(CERTAINTIES).describe("Whether the list may be passed on"),
});
export type Licence = z.infer<typeof licenceSchema>;

/** What every row of the built-in catalogue has beside the operator's columns. */
export const catalogueShape = {
  off: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Why the engine is off unless the operator asks for it"),
  disabled_class: z.enum(DISABLED_CLASSES).optional().describe("Class of that reason"),
  licence: licenceSchema,
  replaced_by: z
    .string()
    .optional()
    .describe("Key of the engine that replaces it should the publisher end it"),
};

type Columns = { readonly off?: string | undefined; readonly disabled_class?: Off["class"] | undefined };

/** Adds an issue where a row has a reason without its class, or the other way round. */
export function refineOff({ off, disabled_class: found }: Columns, context: z.RefinementCtx): void {
  if ((off === undefined) === (found === undefined)) return;
  const message = "Expected off and disabled_class together";
  context.addIssue({ code: "custom", path: ["disabled_class"], message });
}

/** Why the catalogue switches an engine off; null: it does not. */
export const offOf = ({ off, disabled_class: found }: Columns): Off | null =>
  off === undefined ? null : { reason: off, class: found ?? null };
