import { TOOLS } from "../api/products.gen.ts";
import type { ProductWord } from "../api/products.ts";

/** What a person reads about a tool. */
export type Tool = (typeof TOOLS)[number];

/** A tool by its name. */
export function toolOf(name: ProductWord): Tool {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}
