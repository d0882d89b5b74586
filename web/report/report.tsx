import type {
  CheckIpReport,
  DnsLookupReport,
  DomainReport as DomainReportData,
  EmailReport as EmailReportData,
  UrlReport as UrlReportData,
} from "../api/types.gen.ts";
import { DnsReport } from "./dns-report.tsx";
import { DomainReport } from "./domain-report.tsx";
import { EmailReport } from "./email-report.tsx";
import { IpReport } from "./ip-report.tsx";
import { UrlReport } from "./url-report.tsx";
import { WhoisReport, type WhoisReportData } from "./whois-report.tsx";
import "./report.css";
import "./engines.css";
import "./json-tree.css";

/** The `data` of an answer with the product that made it. */
export type ProductReport =
  | { readonly product: "check-ip"; readonly report: CheckIpReport }
  | { readonly product: "domain-reputation"; readonly report: DomainReportData }
  | { readonly product: "url-reputation"; readonly report: UrlReportData }
  | { readonly product: "email-reputation"; readonly report: EmailReportData }
  | { readonly product: "dns-lookup"; readonly report: DnsLookupReport }
  | { readonly product: "whois-lookup"; readonly report: WhoisReportData };

/** The readable report of any product, without its heading and raw form. */
export function Report(props: ProductReport) {
  switch (props.product) {
    case "check-ip":
      return <IpReport report={props.report} />;
    case "domain-reputation":
      return <DomainReport report={props.report} />;
    case "url-reputation":
      return <UrlReport report={props.report} />;
    case "email-reputation":
      return <EmailReport report={props.report} />;
    case "dns-lookup":
      return <DnsReport report={props.report} />;
    case "whois-lookup":
      return <WhoisReport report={props.report} />;
  }
}
