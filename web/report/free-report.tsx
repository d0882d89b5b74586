import type { ComponentType } from "react";
import type { FreeReports, ProductWord } from "../api/products.ts";
import { FreeDns, FreeEmail, FreeWhois } from "./free-answers.tsx";
import { FreeDomain, FreeIp, FreeUrl } from "./free-reports.tsx";
import { PlainReport } from "./plain-report.tsx";

type View<W extends ProductWord> = ComponentType<{ readonly report: FreeReports[W] }>;

/** Free reports of their own, by the product's word; a product without one has the plain report. */
const OWN: { readonly [W in ProductWord]?: View<W> } = {
  ip: FreeIp,
  domain: FreeDomain,
  url: FreeUrl,
  email: FreeEmail,
  dns: FreeDns,
  whois: FreeWhois,
};

type FreeReportProps<W extends ProductWord> = { readonly word: W; readonly report: FreeReports[W] };

/** The free report of any product. */
export function FreeReport<W extends ProductWord>({ word, report }: FreeReportProps<W>) {
  const Own: View<W> | undefined = OWN[word];
  return Own === undefined ? <PlainReport report={report} /> : <Own report={report} />;
}
