import type { AnyReport } from "../../api/products.ts";
import { Report } from "../../report/report.tsx";

/** The report of any product, in words. */
export function Readable(answer: AnyReport) {
  switch (answer.word) {
    case "ip":
      return <Report product="check-ip" report={answer.report} />;
    case "domain":
      return <Report product="domain-reputation" report={answer.report} />;
    case "url":
      return <Report product="url-reputation" report={answer.report} />;
    case "email":
      return <Report product="email-reputation" report={answer.report} />;
    case "dns":
      return <Report product="dns-lookup" report={answer.report} />;
    case "whois":
      return <Report product="whois-lookup" report={answer.report} />;
    default:
      return answer satisfies never;
  }
}
