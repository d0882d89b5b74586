import type { Consultation } from "../../engines/kind.ts";
import { reportBlacklists } from "../../engines/report.ts";
import { policyInForce } from "../../enrichment/dns-facts/mail-policy/dmarc.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import type { NormalizedMailbox } from "../../enrichment/mailbox/mailbox.ts";
import type { UsernameFacts } from "../../enrichment/mailbox/username.ts";
import type { SmtpVerdict } from "../../net/mail/smtp.ts";
import { ageOfLists, besides, freshnessOf, type PartAge } from "../../risk/freshness.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { RiskScore } from "../../risk/shapes.ts";
import type { ReadMailbox } from "../../targets/email.ts";
import type { Unviewed } from "../views.ts";
import type { MailSetup } from "./facts.ts";
import type { EmailReportShape } from "./shape.ts";
import { emailSignals } from "./signals.ts";

export type EmailTarget = { readonly read: ReadMailbox; readonly text: string; readonly input: string };

/** What the lists say of the domain. */
export type MailboxKind = {
  readonly isDisposable: boolean;
  readonly isRelay: boolean;
  readonly isFree: boolean;
  readonly provider: string | null;
  /** Whether the domain has the flag, or every list that could say so answered. */
  readonly isDisposableKnown: boolean;
  readonly isFreeKnown: boolean;
};

export type GatheredEmail = {
  readonly target: EmailTarget;
  readonly normalized: NormalizedMailbox | null;
  readonly username: UsernameFacts;
  readonly kind: MailboxKind;
  readonly didYouMean: string | null;
  readonly judged: JudgedDomain | null;
  /** Null where nothing was looked up: a bad format, the free tool. */
  readonly mail: MailSetup | null;
  readonly ageDays: number | null;
  readonly smtp: SmtpVerdict | null;
  readonly consultation: Consultation;
  /** Of the registration, and of what the engines say of the mail hosts. */
  readonly ages: readonly PartAge[];
  readonly computedAt: Date;
  readonly elapsedMs: number;
};

export type EmailReport = Unviewed<typeof EmailReportShape>;

/** What was gathered to the wire shape of interface 2.9 with design 9; pure. */
export function reportEmail(gathered: GatheredEmail): EmailReport {
  const { target, mail, consultation, computedAt } = gathered;
  const isValid = target.read.state === "valid";
  const score = scoreOf(gathered);
  const isBlocked = shouldBlock(isValid, gathered, score);
  // Whether mail would arrive may still turn out either way.
  const isOpen = isValid && !isBlocked && isMailUnknown(mail);
  return {
    email: target.text,
    input: target.input,
    target_level: "email",
    ...formatFieldsOf(gathered),
    ...kindFieldsOf(gathered),
    ...mailFieldsOf(gathered),
    ...usernameFieldsOf(gathered.username),
    domain_age_days: gathered.ageDays,
    is_domain_recent: gathered.ageDays !== null && gathered.ageDays < 30,
    is_risky_tld: gathered.judged?.facts.is_risky_tld ?? false,
    shared_infrastructure: gathered.judged?.sharedInfrastructure ?? null,
    smtp: smtpOf(gathered.smtp),
    blacklists: reportBlacklists(consultation, target.text),
    risk_score: score,
    score: qualityOf(isValid, score, gathered),
    should_block: isBlocked,
    freshness: freshnessOf(consultation, agesOf(gathered), computedAt),
    unknown_fields: [...unknownFieldsOf(gathered), ...(isOpen ? VERDICT_FIELDS : [])].sort(),
    elapsed_ms: Math.max(Math.round(gathered.elapsedMs), Math.floor(consultation.scanTimeMs)),
  };
}

const agesOf = ({ judged, ages, computedAt }: GatheredEmail): readonly PartAge[] =>
  judged === null ? ages : [...besides([ageOfLists(judged, computedAt)]), ...ages];

function scoreOf(gathered: GatheredEmail): RiskScore {
  const { target, kind, mail, judged, username, consultation, computedAt } = gathered;
  return scoreTarget({
    consultation,
    signals: emailSignals({
      isValidFormat: target.read.state === "valid",
      isDisposable: kind.isDisposable,
      mxStatus: mail?.status ?? null,
      isSuspiciousUsername: username.reasons.length > 0,
      riskyTld: judged?.facts.is_risky_tld ? judged.facts.tld : null,
      ageDays: gathered.ageDays,
      hasSpf: mail?.spf.present ?? null,
    }),
    sharedInfrastructure: judged?.sharedInfrastructure ?? null,
    isBogon: false,
    computedAt,
  });
}

function formatFieldsOf({ target, normalized, didYouMean }: GatheredEmail) {
  const { read } = target;
  const domain = read.state === "valid" ? read.mailbox.domain : read.domain;
  return {
    is_valid_format: read.state === "valid",
    format_error: read.state === "valid" ? null : read.error,
    is_smtputf8: read.state === "valid" && read.mailbox.isSmtputf8,
    username: normalized?.username ?? "",
    normalized_email: normalized?.email ?? "",
    is_tagged: normalized?.isTagged ?? false,
    domain: domain?.name ?? "",
    domain_unicode: domain?.unicode ?? null,
    registered_domain: domain?.registeredDomain ?? null,
    did_you_mean: didYouMean,
  };
}

function kindFieldsOf({ kind, mail, target }: GatheredEmail) {
  const domain = target.read.state === "valid" ? target.read.mailbox.domain.name : "";
  return {
    is_disposable: kind.isDisposable,
    is_privacy_relay: kind.isRelay,
    is_free_provider: kind.isFree,
    domain_category: categoryOf(domain, kind, mail),
  };
}

function categoryOf(
  domain: string,
  kind: MailboxKind,
  mail: MailSetup | null,
): EmailReport["domain_category"] {
  if (kind.isRelay) return "relay";
  if (kind.isDisposable) return "disposable";
  if (kind.isFree) return "free";
  if (/(^|\.)(edu|ac)\.[a-z]{2}$|\.edu$/.test(domain)) return "education";
  if (/(^|\.)(gov|gob|gouv|govt|mil)\.[a-z]{2}$|\.(gov|mil)$/.test(domain)) return "government";
  return mail?.status === "ok" ? "corporate" : "unknown";
}

function mailFieldsOf({ mail, kind, target }: GatheredEmail) {
  return {
    has_mx_records: mail?.status === "ok",
    mx_records: mail?.hosts.map(({ host }) => host) ?? [],
    mx_status: mail?.status ?? null,
    mx_provider: kind.provider,
    mx_hosts: (mail?.hosts ?? []).map(({ isKnown: _, ...host }) => host),
    spf: mail?.spf ?? null,
    dmarc: mail?.dmarc ?? null,
    is_spoofable: mail !== null && isSpoofable(target, mail),
  };
}

function isSpoofable({ read }: EmailTarget, { dmarc }: MailSetup): boolean {
  if (read.state === "invalid" || dmarc.present === null) return false;
  const policy = policyInForce(read.mailbox.domain.name, dmarc);
  return policy === null || policy === "none";
}

const usernameFieldsOf = ({ role, isNoReply, reasons }: UsernameFacts) => ({
  is_role_address: role !== null,
  role,
  is_noreply: isNoReply,
  is_suspicious_username: reasons.length > 0,
  username_reasons: reasons,
});

const smtpOf = (verdict: SmtpVerdict | null): EmailReport["smtp"] =>
  verdict === null
    ? { checked: false }
    : { checked: true, outcome: verdict.outcome, is_catch_all: verdict.isCatchAll, code: verdict.code };

/** No MX record and no address, or none that takes mail. */
const isUndeliverable = (mail: MailSetup | null): boolean =>
  mail?.status === "none" || mail?.status === "nxdomain" || mail?.status === "null_mx";

const isMailUnknown = (mail: MailSetup | null): boolean =>
  mail?.status === "timeout" || mail?.status === "error";

/** What hangs on the mail hosts as well. */
const VERDICT_FIELDS = ["score", "should_block"];

const UNDELIVERABLE_QUALITY = 20;

/** Its own mail host may say as well that mail would not arrive. */
function qualityOf(isValid: boolean, { result }: RiskScore, { mail, smtp }: GatheredEmail): number {
  if (!isValid) return 0;
  return isUndeliverable(mail) || smtp?.outcome === "undeliverable"
    ? Math.min(UNDELIVERABLE_QUALITY, 100 - result)
    : 100 - result;
}

const BLOCK_FROM = 75;

const shouldBlock = (isValid: boolean, { kind, mail }: GatheredEmail, { result }: RiskScore): boolean =>
  !isValid || kind.isDisposable || isUndeliverable(mail) || result >= BLOCK_FROM;

const MAIL_FIELDS = [
  "dmarc",
  "has_mx_records",
  "is_spoofable",
  "mx_provider",
  "mx_records",
  "mx_status",
  "spf",
];

function unknownFieldsOf({ target, mail, kind, ageDays, smtp }: GatheredEmail): readonly string[] {
  if (target.read.state === "invalid") return [];
  const unknown: string[] = [];
  if (!kind.isDisposableKnown) unknown.push("is_disposable");
  if (!kind.isFreeKnown) unknown.push("is_free_provider");
  if (ageDays === null) unknown.push("domain_age_days", "is_domain_recent");
  if (smtp?.outcome === "unknown") unknown.push("smtp");
  unknown.push(...(mail === null ? MAIL_FIELDS : unknownMailFields(mail, kind)));
  return unknown;
}

function unknownMailFields(mail: MailSetup, kind: MailboxKind): readonly string[] {
  const { hosts, spf, dmarc } = mail;
  const unknown: string[] = [];
  if (isMailUnknown(mail)) {
    unknown.push("has_mx_records", "mx_provider", "mx_records");
    if (!kind.isDisposable && !kind.isRelay && kind.isDisposableKnown) unknown.push("is_disposable"); // its hosts may tell
  }
  if (hosts.some(({ isKnown }) => !isKnown)) unknown.push("mx_hosts");
  if (spf.present === null) unknown.push("spf");
  if (dmarc.present === null) unknown.push("dmarc", "is_spoofable");
  return unknown;
}
