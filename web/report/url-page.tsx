import type { FileType, HtmlForms, HtmlInfo, UrlResources, UrlResponse } from "../api/types.gen.ts";
import { FILE_KINDS } from "../api/words.gen.ts";
import { Fact, Facts } from "./facts.tsx";
import { Nothing, Unknown, useIsUnknown } from "./known.tsx";
import { LookupLink } from "./links.tsx";
import { count, counted, size } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";

/** Title, description and figures of a page. */
export function PageFacts({ info, response }: { info: HtmlInfo | null; response: UrlResponse | null }) {
  return (
    <Facts>
      {info === null ? (
        <Fact name="Contents" of="report.html_info">
          <Nothing />
        </Fact>
      ) : (
        <>
          <Fact name="Title">
            {info.title === "" ? (
              <span className="muted">none</span>
            ) : (
              <Outside text={info.title} most={160} />
            )}
          </Fact>
          {info.description === "" ? null : (
            <Fact name="Description">
              <Outside text={info.description} most={240} />
            </Fact>
          )}
          <Fact name="Language">
            {info.lang === "" ? <span className="muted">none</span> : <Outside text={info.lang} most={40} />}
          </Fact>
          <Fact name="Holds">
            {counted(info.links_count, "link")}, {counted(info.scripts_count, "script")},{" "}
            {counted(info.iframes_count, "frame")}
          </Fact>
        </>
      )}
      {response === null ? (
        <Fact name="Answer" of="report.response">
          <span className="muted">none</span>
        </Fact>
      ) : (
        <>
          <Fact name="Answer">
            <Mono text={response.status} most={80} />
          </Fact>
          <Fact name="Type">
            <Mono text={response.content_type} most={80} />
          </Fact>
          <Fact name="Size">{size(response.body_bytes)}</Fact>
        </>
      )}
    </Facts>
  );
}

/** What forms on the page ask for, in a sentence each. */
export function FormFindings({ forms, hasPage }: { forms: HtmlForms; hasPage: boolean }) {
  const isUnknown = useIsUnknown();
  if (!hasPage) {
    return (
      <p className="muted">
        {isUnknown("report.html_info")
          ? "No page was read, so nothing is known of its forms."
          : "The answer is not an HTML page, so it has no forms."}
      </p>
    );
  }
  if (forms.number_of_total_forms === 0) return <p>The page has no forms.</p>;
  const fields: readonly (readonly [boolean, string])[] = [
    [forms.password_field_present, "a password"],
    [forms.credit_card_field_present, "a credit card"],
    [forms.otp_field_present, "a one-time code"],
    [forms.email_field_present, "an e-mail address"],
    [forms.phone_field_present, "a phone number"],
    [forms.file_field_present, "a file"],
  ];
  const asked = fields.filter(([holds]) => holds).map(([, name]) => name);
  return (
    <>
      <p>
        {counted(forms.number_of_total_forms, "form")} with{" "}
        {counted(forms.number_of_total_input_fields, "field")}
        {asked.length === 0 ? "." : `, asking for ${asked.join(", ")}.`}
      </p>
      {forms.external_action ? <p className="bad">A form sends what is typed to another domain.</p> : null}
      {forms.insecure_action ? <p className="bad">A form sends what is typed without encryption.</p> : null}
    </>
  );
}

/** What kind of file came, and whether it says so. */
export function FileFacts({ file, response }: { file: FileType; response: UrlResponse | null }) {
  if (response === null) return null;
  return (
    <>
      <p className={file.mismatch ? "bad" : ""}>{fileText(file)}</p>
      <p className="muted digest">
        SHA-256 <Mono text={response.body_sha256} />
      </p>
    </>
  );
}

/** `The file is PE, but its name says PDF.`: what its octets are, and what its name and its server say of it. */
function fileText({ signature, extension, headers, mismatch }: FileType): string {
  const what = `The file is ${isKind(signature) ? signature : FILE_KINDS[signature]}`;
  if (!mismatch) return `${what}${isKind(signature) && headers === signature ? ", as its server says" : ""}.`;
  const claims = [
    ...(isKind(extension) && extension !== signature ? [`its name says ${extension}`] : []),
    ...(isKind(headers) && headers !== signature ? [`its server says ${headers}`] : []),
  ];
  return `${what}, but ${claims.join(" and ")}.`;
}

type Kind = FileType["signature"];

const isKind = (kind: Kind): kind is Exclude<Kind, "" | "UNKNOWN"> => kind !== "" && kind !== "UNKNOWN";

/** Other domains that the page loads from. */
export function Resources({ resources, isRead }: { resources: UrlResources; isRead: boolean }) {
  if (!isRead) return <Unknown>unknown: no page was read</Unknown>;
  if (resources.domains.length === 0) return <p className="muted">Nothing.</p>;
  return (
    <>
      <p className="muted">
        {count(resources.external_count)} of {counted(resources.count, "resource")}
        {resources.mixed_content_count > 0
          ? `, ${count(resources.mixed_content_count)} without encryption`
          : ""}
      </p>
      <ul className="plain-list">
        {resources.domains.slice(0, 12).map(({ domain, count: uses, detections }) => (
          <li key={domain}>
            <LookupLink kind="domain" value={domain} /> <span className="muted">{count(uses)}×</span>
            {detections > 0 ? <span className="bad"> listed by {counted(detections, "list")}</span> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
