import type { Consultation } from "../../engines/kind.ts";
import { meantDomain, type NormalizedMailbox, normalizeMailbox } from "../../enrichment/mailbox/mailbox.ts";
import { loadMailTables, type MailTables } from "../../enrichment/mailbox/tables.ts";
import { usernameFactsOf } from "../../enrichment/mailbox/username.ts";
import type { SmtpVerdict } from "../../net/mail/smtp.ts";
import { ofRegistry, type PartAge } from "../../risk/freshness.ts";
import type { Domain } from "../../targets/domain.ts";
import { hasIcannTld, readMailbox } from "../../targets/email.ts";
import type { Deps } from "../deps.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import { verdictShape } from "../shapes.ts";
import { verdictOf } from "../views.ts";
import { type DomainAge, lookUpDomainAge, lookUpMail, type MailSetup, mailHostsOf } from "./facts.ts";
import { toFreeEmailReport } from "./free.ts";
import { type EmailReport, type EmailTarget, type MailboxKind, reportEmail } from "./report.ts";
import { EmailReportShape, EmailReputationInput, FreeEmailReport } from "./shape.ts";
import { renderEmailReport } from "./terminal.ts";

/** Reputation of an e-mail address: form, kind of mailbox, mail hosts, policies, lists, explained score. */
export const emailReputation = defineProduct({
  name: "email-reputation",
  summary: "Check an e-mail address",
  description:
    "Whether mail can be sent to an address, what kind of mailbox it is (throwaway, forwarding alias, free, a post), how " +
    "its domain takes mail, and what the lists say. A text that is not an address is answered, not refused.",
  price: 1,
  halfAllowance: false,
  targetKind: "email",
  input: EmailReputationInput,
  output: EmailReportShape,
  verdict: {
    output: verdictShape("EmailVerdict", "email"),
    of: (report) => verdictOf({ email: report.email }, report),
  },
  deadlineMs: 8000,
  field: "email",
  parse: ({ email }): EmailTarget => targetOf(email),
  textOf: ({ text }) => text,
  lookup: gatherEmail,
  isCharged: () => true,
  failureOf: () => "upstream_error: no answer",
  judged: (report) => ({ score: report.risk_score, consultation: report.blacklists.consultation }),
  bulk: { field: "emails", item: "email", concurrency: 16, deadlineMs: 60_000 },
  free: {
    path: "/api/free/email-check",
    summary: "Check an e-mail address, reduced and without an account",
    output: FreeEmailReport,
    reduce: toFreeEmailReport,
  },
  cli: { word: "email", render: renderEmailReport },
  page: {
    name: "E-mail reputation",
    takes: ["email"],
    form: { label: "E-mail address", example: "someone@example.com" },
    tool: {
      tab: "E-mail",
      title: "E-mail address check",
      lead: "Whether an address is well formed, and whether it is a throwaway mailbox or at a free provider.",
      label: "E-mail address",
      example: "jane.doe@example.com",
      full: "mail servers and their reputation, SPF and DMARC, and aliases and role addresses",
    },
    // It would ask the host of the mailbox.
    isWholePublic: false,
  },
  example: { email: "jane.doe@example.com" },
});

/** A top-level domain that only the operator's registries know is judged later, where they can be asked. */
function targetOf(input: string): EmailTarget {
  const read = readMailbox(input, () => true);
  if (read.state === "invalid") return { input, text: input.trim(), read };
  const { local, domain } = read.mailbox;
  return { input, text: `${local}@${domain.name}`, read };
}

async function gatherEmail(given: EmailTarget, deps: Deps, context: LookupContext): Promise<EmailReport> {
  const { clock, domainFacts } = deps;
  const startedMs = clock.monotonicMs();
  const target = await withJudgedTld(given, deps, context);
  const { read } = target;
  const domain = read.state === "valid" ? read.mailbox.domain : read.domain;
  const normalized = read.state === "valid" ? normalizeMailbox(read.mailbox, mailTables()) : null;
  const looked =
    read.state === "valid" && normalized !== null
      ? await lookUp({ text: target.text, domain: read.mailbox.domain, normalized }, deps, context)
      : NOTHING;
  const judged =
    domain === null
      ? null
      : domainFacts.judge(domain, {
          ageDays: looked.ageDays,
          addresses: [],
          nameServers: [],
          isForSale: null,
          registry: looked.registry,
        });
  const kind = kindOf(domain, looked.mail, deps);
  return reportEmail({
    target,
    normalized,
    username: usernameFactsOf(normalized?.username ?? ""),
    kind,
    didYouMean: meantAddress(target, domain, looked.mail, judged?.isPopular ?? false),
    judged,
    ...looked,
    computedAt: clock.now(),
    elapsedMs: clock.monotonicMs() - startedMs,
  });
}

let tables: MailTables | null = null;

/** Read when they are first needed: a start has better things to do. */
function mailTables(): MailTables {
  tables ??= loadMailTables();
  return tables;
}

async function withJudgedTld(
  target: EmailTarget,
  { registrations, hasWhoisServer }: Pick<Deps, "registrations" | "hasWhoisServer">,
  context: LookupContext,
): Promise<EmailTarget> {
  const { read } = target;
  if (read.state === "invalid") return target;
  const { local, domain } = read.mailbox;
  const { name } = domain;
  if (hasIcannTld(name) || hasWhoisServer(name.split(".").at(-1) ?? "")) return target;
  if (await registrations.hasRegistryOf(name, context)) return target;
  return { ...target, read: { state: "invalid", error: "tld", local, domain } };
}

type Looked = {
  readonly mail: MailSetup | null;
  readonly ageDays: number | null;
  readonly registry: DomainAge["registry"];
  readonly smtp: SmtpVerdict | null;
  readonly consultation: Consultation;
  readonly ages: readonly PartAge[];
};

/** With a bad format nothing is looked up. */
const NOTHING: Looked = {
  mail: null,
  ageDays: null,
  registry: null,
  smtp: null,
  consultation: { verdicts: [], absences: [], disabled: [], allowlists: [], scanTimeMs: 0, cached: false },
  ages: [],
};

type ValidEmail = {
  readonly text: string;
  readonly domain: Domain;
  readonly normalized: NormalizedMailbox;
};

/** The free tool shows what the lists say, and nothing else is asked for it. */
async function lookUp(
  { text, domain, normalized }: ValidEmail,
  deps: Deps,
  context: LookupContext,
): Promise<Looked> {
  const { name, registeredDomain } = domain;
  const { otherSpellings } = normalized;
  const host = { kind: "domain", name, registeredDomain } as const;
  const asked = deps.engines.consult({ kind: "email", email: text, otherSpellings, domain: host }, context);
  if (context.isReduced) return { ...NOTHING, consultation: await asked };
  const [consultation, mail, { ageDays, registry, age }] = await Promise.all([
    asked,
    lookUpMail(domain, deps, context),
    lookUpDomainAge(domain, deps, context),
  ]);
  const smtp = await checkMailbox(text, mail, deps, context);
  return { consultation, mail, ageDays, registry, smtp, ages: [ofRegistry(age), ...mail.ages] };
}

const SMTP_MS = 4000;

async function checkMailbox(
  text: string,
  mail: MailSetup,
  { smtpCheck, clock }: Pick<Deps, "smtpCheck" | "clock">,
  { signal, deadlineMs }: LookupContext,
): Promise<SmtpVerdict | null> {
  if (smtpCheck === null) return null;
  const at = text.lastIndexOf("@");
  const timeoutMs = Math.min(SMTP_MS, deadlineMs - clock.monotonicMs() - 100);
  const domain = text.slice(at + 1);
  const hosts = mailHostsOf(domain, mail);
  if (hosts.length === 0 || timeoutMs <= 0) return { outcome: "unknown", isCatchAll: null, code: null };
  return smtpCheck({ hosts, local: text.slice(0, at), domain, timeoutMs, signal });
}

/** A forwarding alias is tied to a real mailbox: its list wins over every list of throwaway domains. */
function kindOf(
  domain: Domain | null,
  mail: MailSetup | null,
  { domainFacts }: Pick<Deps, "domainFacts">,
): MailboxKind {
  const flags = domain === null ? new Set<string>() : domainFacts.flagsOf(domain.name);
  const isRelay = domain !== null && mailTables().relayOf(domain.name) !== null;
  const hosts = mail?.hosts.map(({ host }) => host) ?? [];
  const isThrowaway = flags.has("disposable_mail") || hosts.some(mailTables().isThrowawayHost);
  return {
    isRelay,
    isDisposable: !isRelay && isThrowaway,
    isFree: !isRelay && flags.has("free_mail"),
    provider: hosts.map(mailTables().providerOf).find((provider) => provider !== null) ?? null,
    isDisposableKnown: isRelay || isThrowaway || domainFacts.knows("disposable_mail"),
    isFreeKnown: isRelay || flags.has("free_mail") || domainFacts.knows("free_mail"),
  };
}

const hasNoMx = (mail: MailSetup | null): boolean =>
  mail?.status === "none" || mail?.status === "nxdomain" || mail?.status === "implicit_a";

/** Only a domain without an MX record, or that few people use, can be a typo (design 9). */
function meantAddress(
  { read }: EmailTarget,
  domain: Domain | null,
  mail: MailSetup | null,
  isPopular: boolean,
): string | null {
  const meant = domain === null ? null : meantDomain(domain.name, mailTables());
  if (meant === null || (isPopular && !hasNoMx(mail))) return null;
  return `${read.state === "valid" ? read.mailbox.local : read.local}@${meant}`;
}
