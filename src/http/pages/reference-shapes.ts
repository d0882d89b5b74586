import { z } from "zod";

// The API reference, as its pages are told: read from the OpenAPI document.

/** A member of a body, deeper ones behind the one that holds them. */
const ReferenceField = z
  .object({
    name: z.string(),
    depth: z.int(),
    type: z.string(),
    is_required: z.boolean(),
    description: z.string(),
    values: z.array(z.string()).describe("What it takes, where that is a list"),
  })
  .meta({ id: "ReferenceField" });
export type ReferenceField = z.infer<typeof ReferenceField>;

const ReferenceExample = z.object({ title: z.string(), text: z.string() }).meta({ id: "ReferenceExample" });

const ReferenceOperation = z
  .object({
    id: z.string(),
    method: z.string(),
    path: z.string(),
    title: z.string(),
    description: z.string(),
    kind: z.enum(["single", "bulk", "free", "other"]),
    price: z.int().nullable().describe("Credits, of a batch for each item; null: free"),
    limit: z.enum(["plan", "half", "free"]).nullable(),
    auth: z.enum(["key", "key or session", "none"]),
    session_path: z.string().nullable().describe("Where a session calls it without a key"),
    parameters: z.array(
      z.object({
        name: z.string(),
        place: z.string(),
        description: z.string(),
        values: z.array(z.string()),
        preset: z.string().nullable(),
      }),
    ),
    request: z.array(ReferenceField),
    body: z.string().nullable().describe("Example of the request; null: it has none"),
    answers: z
      .array(z.object({ title: z.string(), fields: z.array(ReferenceField) }))
      .describe("Members of `data`; several where it has one of several forms"),
    examples: z.array(ReferenceExample).describe("Of the answer"),
    errors: z.array(
      z.object({ status: z.string(), code: z.string(), text: z.string(), example: z.string() }),
    ),
    snippets: z.array(ReferenceExample).describe("The same call in several languages"),
  })
  .meta({ id: "ReferenceOperation" });
export type ReferenceOperation = z.infer<typeof ReferenceOperation>;

export const ReferencePage = z
  .object({
    page: z.literal("reference"),
    groups: z.array(
      z.object({
        name: z.string().describe("Last part of its address; empty: the first page"),
        title: z.string(),
        operations: z.array(
          z.object({ id: z.string(), method: z.string(), path: z.string(), title: z.string() }),
        ),
      }),
    ),
    group: z.string().describe("The one that is shown"),
    operations: z.array(ReferenceOperation),
  })
  .meta({ id: "ReferencePage" });
