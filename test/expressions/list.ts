import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { listEntries } from "../source-files.ts";

const expressionSchema = z.union([
  z.string().min(2),
  z
    .strictObject({ made: z.string(), like: z.string() })
    .describe("A call of RegExp, and a literal that stands for it"),
]);

const groupSchema = z.union([
  z.strictObject({
    longest: z.int().min(1).describe("Characters that can reach it"),
    bound: z.string().describe("Where that is decided"),
    checker: z.string().optional().describe("Why what the checker finds in each of them does no harm"),
    expressions: z.array(expressionSchema).min(1),
  }),
  z.strictObject({
    never: z.string().describe("Why no text of strangers reaches it"),
    expressions: z.array(expressionSchema).min(1),
  }),
]);

const listSchema = z.record(z.string(), z.array(groupSchema).min(1));

export type ListedExpression = {
  readonly file: string;
  /** As in the source. */
  readonly expression: string;
  readonly compiled: RegExp;
  /** Null: no text of strangers reaches it. */
  readonly longest: number | null;
  /** Why the checker's findings do no harm; null: it must find none. */
  readonly excuse: string | null;
};

/** The list of all regular expressions: one YAML file for each part of the program, beside this file. */
export function readExpressionList(): readonly ListedExpression[] {
  return listEntries("test/expressions")
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => {
      const groups = listSchema.parse(parse(readFileSync(new URL(name, import.meta.url), "utf8")));
      return Object.entries(groups).flatMap(([file, listed]) =>
        listed.flatMap((group) => expressionsOf(file, group)),
      );
    });
}

function expressionsOf(file: string, group: z.infer<typeof groupSchema>): readonly ListedExpression[] {
  const longest = "never" in group ? null : group.longest;
  const excuse = "never" in group ? group.never : (group.checker ?? null);
  return group.expressions.map((listed) => {
    const literal = typeof listed === "string" ? listed : listed.like;
    const expression = typeof listed === "string" ? listed : listed.made;
    return { file, expression, compiled: compile(literal), longest, excuse };
  });
}

function compile(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
