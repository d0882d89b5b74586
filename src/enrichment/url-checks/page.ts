import { actionsOf, isPasswordField, isSearchField, isTextField } from "../page/forms.ts";
import { baseOf, extensionOf, registeredOf } from "../page/links.ts";
import { isEmptyPage, type Page, type PageForm } from "../page/page.ts";
import { ofBody, ofForms, ofResponse, shown, signal } from "./check.ts";
import { extensionsOf, isDirectoryListing } from "./directory-listing.ts";
import type { UrlEvidence } from "./evidence.ts";
import { lureOf } from "./lures.ts";
import { imitatedBrandOf } from "./phishing.ts";

type PageTest = (page: Page, evidence: UrlEvidence) => boolean;

/** What only an HTML page can be. */
const ofPage =
  (test: PageTest) =>
  (evidence: UrlEvidence): boolean =>
    evidence.page !== null && test(evidence.page, evidence);

const NO_INDEX = /(?:^|[\s,])(?:noindex|none)(?:[\s,]|$)/i;

/** By a header that names no single robot. */
const isNoIndexByHeader = ({ response }: UrlEvidence): boolean =>
  NO_INDEX.test(response?.headers.get("x-robots-tag") ?? "");

const isNoIndex = (evidence: UrlEvidence): boolean =>
  NO_INDEX.test(evidence.page?.metas.get("robots") ?? "") || isNoIndexByHeader(evidence);

/** A notice is short; an article about suspended accounts is not. */
const MAX_NOTICE_BYTES = 3000;
const SUSPENDED =
  /\b(?:this |the |your )?(?:account|web ?site|site|domain(?: name)?|hosting|service|page) (?:has been |is |was |is currently |has been temporarily )?(?:suspended|disabled by (?:the )?(?:administrator|provider|host))\b/i;

const isSuspended: PageTest = ({ title, text, textBytes }, { finalUrl }) =>
  /\/cgi-sys\/suspendedpage\.cgi$/i.test(finalUrl.pathname) ||
  (textBytes <= MAX_NOTICE_BYTES && (SUSPENDED.test(title) || SUSPENDED.test(text)));

const isEmptyContent = ({ page, response }: UrlEvidence): boolean =>
  page === null ? response?.bodyBytes === 0 : isEmptyPage(page);

const MAX_DEFACED_LINKS = 20;
const DEFACED = /\b(?:h[a4]ck[e3]d|d[e3]fac[e3]d|pwn[e3]d|0wn[e3]d|touched|stamped) by\b/i;
const DEFACED_TITLE = /^\W{0,20}(?:h[a4]ck[e3]d|d[e3]fac[e3]d|pwn[e3]d|0wn[e3]d)(?:\W{0,3}by\b|\W{0,20}$)/i;

/** Defacers leave a signature and nothing else: no menu, no article around it. */
const isDefaced: PageTest = ({ title, text, textBytes, linksCount }) =>
  textBytes <= MAX_NOTICE_BYTES &&
  linksCount <= MAX_DEFACED_LINKS &&
  (DEFACED_TITLE.test(title) || DEFACED.test(text.slice(0, 500)));

const lists =
  (...extensions: readonly string[]) =>
  ({ page, finalUrl }: UrlEvidence): boolean => {
    if (page === null || !isDirectoryListing(page)) return false;
    const found = extensionsOf(page, finalUrl);
    return extensions.some((extension) => found.has(extension));
  };

/** One password, beside it at most a name and a third thing (code, company); two are a registration. */
const isLogin = ({ inputs }: PageForm): boolean =>
  inputs.filter(isPasswordField).length === 1 && inputs.filter(isTextField).length <= 3;

/** Buttons of payment services and search boxes lead to others all the time; what else is typed stays at home. */
const asksForMoreThanWords = ({ inputs }: PageForm): boolean =>
  inputs.some((input) => (isTextField(input) && !isSearchField(input)) || input.type === "file");

const sendsAway: PageTest = (page, { finalUrl }) => {
  const base = baseOf(page, finalUrl);
  const own = registeredOf(finalUrl.hostname);
  return page.forms.some(
    (form) =>
      asksForMoreThanWords(form) &&
      actionsOf(form, base).some(({ hostname }) => registeredOf(hostname) !== own),
  );
};

const sendsPasswordOpenly: PageTest = (page, { finalUrl }) => {
  const base = baseOf(page, finalUrl);
  return page.forms.some((form) => {
    if (!form.inputs.some(isPasswordField)) return false;
    const actions = actionsOf(form, base);
    return (actions.length > 0 ? actions : [finalUrl]).some(({ protocol }) => protocol === "http:");
  });
};

/** Folders of content management systems whose files visitors see only as parts of pages, and CGI. */
const CMS_FOLDER =
  /\/(?:wp-(?:content|includes|admin)|cgi-bin|\.well-known|sites\/all|components\/com_[a-z]{1,40})\//i;
const CARRIED = new Set(["OLE", "OOXML", "ZIP", "RAR", "7Z"]);

/**
 * Emotet's loaders gave documents and archives from made-up folders of broken-in sites (`/wp-content/Kx7q/`), named only
 * in a header; honest uploads have file names in their path. Source: the URL lists of Cryptolaemus and URLhaus.
 */
const isPossibleEmotet = ({ finalUrl, fileType }: UrlEvidence): boolean =>
  CARRIED.has(fileType.signature) && CMS_FOLDER.test(finalUrl.pathname) && extensionOf(finalUrl) === "";

const listing = (what: string): string => `An open folder that holds ${what}`;

const BODY_CHECKS = ofBody([
  shown("is_suspended_page", ofPage(isSuspended)),
  shown(
    "is_empty_page_title",
    ofPage(({ title }) => title === ""),
  ),
  shown("is_empty_page_content", isEmptyContent),
  signal("is_directory_listing", 0.1, "An open folder", ofPage(isDirectoryListing)),
  signal("is_exe_on_directory_listing", 0.4, listing("Windows programs"), lists("exe", "scr", "msi", "dll")),
  signal("is_zip_on_directory_listing", 0.15, listing("archives"), lists("zip", "rar", "7z")),
  signal("is_php_on_directory_listing", 0.15, listing("PHP programs"), lists("php")),
  signal(
    "is_doc_on_directory_listing",
    0.15,
    listing("documents"),
    lists("doc", "docx", "docm", "xls", "xlsx", "xlsm", "ppt", "pptx", "pptm", "rtf"),
  ),
  signal("is_pdf_on_directory_listing", 0.15, listing("PDF files"), lists("pdf")),
  signal("is_apk_on_directory_listing", 0.15, listing("Android apps"), lists("apk")),
  signal("is_defaced_heuristic", 0.35, "Shows the text of a defaced page", ofPage(isDefaced)),
  signal(
    "is_suspicious_content",
    0.3,
    (evidence) => lureOf(evidence) ?? "",
    (evidence) => lureOf(evidence) !== null,
  ),
  ...ofForms([
    signal(
      "is_phishing_heuristic",
      0.6,
      (evidence) =>
        `Asks for a secret under the name of ${imitatedBrandOf(evidence)?.domain}, to which it does not belong`,
      (evidence) => imitatedBrandOf(evidence) !== null,
    ),
    shown(
      "is_login_form",
      ofPage(({ forms }) => forms.some(isLogin)),
    ),
    shown("is_password_field", ({ forms }) => forms.password_field_present),
    signal(
      "is_credit_card_field",
      0.1,
      "Asks for a payment card",
      ({ forms }) => forms.credit_card_field_present,
    ),
    signal("is_form_to_external_domain", 0.2, "Sends what is typed to another domain", ofPage(sendsAway)),
    signal("is_password_over_http", 0.2, "Sends a password unencrypted", ofPage(sendsPasswordOpenly)),
  ]),
  signal(
    "is_possible_emotet",
    0.4,
    "Delivers a document or an archive from a folder of a content management system",
    isPossibleEmotet,
  ),
]);

/** Design 7.4, Page: what the last response shows. */
export const PAGE_CHECKS = [
  ...ofResponse([
    shown("is_robots_noindex", isNoIndex, (evidence) => evidence.isRead || isNoIndexByHeader(evidence)),
  ]),
  ...BODY_CHECKS,
];
