/** Where the reports of the products have what was asked about, as the service reads it. */
type Targeted = {
  readonly url?: string;
  readonly email?: string;
  readonly query?: string | null;
  readonly ip?: string;
  readonly domain?: string | null;
};

/** What a report is about, in its normal spelling; what was typed where the report has none. */
export const targetOf = ({ url, email, query, ip, domain }: Targeted, typed: string): string =>
  [url, email, query, ip, domain].find((text) => typeof text === "string" && text !== "") ?? typed;
