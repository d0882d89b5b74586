/** The largest AS number: 32 bits. Source: RFC 6793. */
export const MAX_ASN = 0xffff_ffff;

/** Whether a number is that of an AS. AS 0 is none: it says that a network is not routed (RFC 7607). */
export const isAsn = (number: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= MAX_ASN;

/** The AS number that a text says as `AS64500` or in digits alone; null of any other text, and of a number that no AS has. */
export function readAsn(text: string): number | null {
  const digits = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1];
  return digits !== undefined && isAsn(Number(digits)) ? Number(digits) : null;
}
