import { z } from "zod";

/** What a shape of the interface holds, for the code that makes it: the shape is the only list of its members. */
export type Wire<Shape extends z.ZodType> = Immutable<z.output<Shape>>;

type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

/** A text field whose default, as the interface has it, is the empty text. */
export const text = (description: string) => z.string().default("").describe(description);

/** A flag whose default, as the interface has it, is false. */
export const flag = (description: string) => z.boolean().default(false).describe(description);

/** A text that may not be there or not be known. */
export const nullable = z.string().nullable();
