import { InvalidValue, Refusal } from "../base/failure.ts";
import { prepareLookup } from "../metering/single.ts";
import type { SealedProduct } from "../products/product.ts";
import { recogniseTarget } from "../products/recognise.ts";

/** What is asked of a product. */
export type Question = {
  readonly product: SealedProduct;
  readonly value: string;
  /** Members of the body beside the value. */
  readonly extra: Readonly<Record<string, string>>;
};

/** The product that takes a recognised value, and the value for it. Throws InvalidValue. */
export function questionOf(text: string): Question {
  const { product, value } = recogniseTarget(text);
  return { product, value, extra: {} };
}

/** The body of one call. */
export const bodyOf = ({ product, value, extra }: Question): object => ({ [product.field]: value, ...extra });

/** What is asked about as it will be looked up; null where the product does not take it. */
export function targetOf(question: Question): string | null {
  try {
    return prepareLookup(question.product, bodyOf(question)).text;
  } catch (error) {
    if (error instanceof InvalidValue || error instanceof Refusal) return null;
    throw error;
  }
}
