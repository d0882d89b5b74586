import type { ComponentType } from "react";
import type { ProductWord, Reports } from "../api/products.ts";
import { DnsReport } from "./dns-report.tsx";
import { DomainReport } from "./domain-report.tsx";
import { EmailReport } from "./email-report.tsx";
import { IpReport } from "./ip-report.tsx";
import { PlainReport } from "./plain-report.tsx";
import { UrlReport } from "./url-report.tsx";
import { WhoisReport } from "./whois-report.tsx";
import "./report.css";
import "./engines.css";
import "./json-tree.css";

type View<W extends ProductWord> = ComponentType<{ readonly report: Reports[W] }>;

/** Reports of their own, by the product's word; a product without one has the plain report. */
const OWN: { readonly [W in ProductWord]?: View<W> } = {
  ip: IpReport,
  domain: DomainReport,
  url: UrlReport,
  email: EmailReport,
  dns: DnsReport,
  whois: WhoisReport,
};

/** The `data` of an answer with the word of the product that made it. */
export type ProductReport<W extends ProductWord = ProductWord> = {
  readonly word: W;
  readonly report: Reports[W];
};

/** The readable report of any product, without its heading and raw form. */
export function Report<W extends ProductWord>({ word, report }: ProductReport<W>) {
  const Own: View<W> | undefined = OWN[word];
  return Own === undefined ? <PlainReport report={report} /> : <Own report={report} />;
}
