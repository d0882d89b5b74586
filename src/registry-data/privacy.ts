import { emailDomainOf, emailOf } from "./emails.ts";
import type { DomainRegistration, Registrant } from "./types.ts";
import { folded } from "./whois/folded.ts";

/** What stands in a field in place of a person's name or address. */
const REDACTIONS: readonly RegExp[] = [
  /redacted/i,
  /\bdata (?:is )?(?:protected|not disclosed|withheld)\b/i,
  /\b(?:not|non) (?:shown|disclosed|published|displayed|available publicly|public|to be disclosed)\b/i,
  /\bundisclosed\b/i,
  /\bgdpr\b|\bgeneral data protection regulation\b/i,
  /\bnot applicable \(privacy\)|\bprivacy non disclosed\b/i,
  /\b(?:withheld|hidden|masked|concealed|obscured)\b.*\b(?:for|upon|by|due)\b|^\W?hidden\W?(?:$|\s(?:data|details|by|for|upon|due)\b)|\bwithheld for privacy\b/i,
  /\bstatutory masking\b|\bmasking enabled\b/i,
  /\bpersonal data\b.*\b(?:can ?not|may not|not) be\b/i,
  /\bprivate (?:person|individual|registrant|data)\b/i,
  /\brestricted, please\b|\bvisit\b.*\bweb-?based whois\b/i,
  /\bselect (?:request email form|contact domain holder)\b/i,
  /\bquery the rdds service of the registrar\b/i,
  /^identity protect(?:ed|ion)$|^privacy protected?$|^protected$|^personal$/i,
];

/**
 * Words that say so only when they are all that stands there: "Private" is no name, "Private Bank" is one. A kind of holder in
 * place of a name ("natural person") is among them.
 */
const WHOLE_REDACTIONS: readonly string[] = [
  "private, private data, private information, confidential, withheld, name withheld, information withheld, masked",
  "restricted, information restricted, restricted information, data restricted, not revealed, data hidden, xxxx, xxxxx",
  "obfuscated, anonymous, anonymised, anonymized, protected data, protected information, non-public, non-public data",
  "not public, unpublished, natural person, physical person, individual person",
  // AFNIC's, of a person who did not want to be named
  "ano nymous, anonyme, anonymisé, masqué, données masquées, données protégées, non publié, non publiée, confidentiel",
  "non divulgué, non divulguée, non communiqué, information protégée, informations protégées",
  "diffusion restreinte, personne physique, particulier",
  "anónimo, anônimo, oculto, datos ocultos, datos protegidos, dados protegidos, dados ocultos, confidencial, privado",
  "no divulgado, não divulgado, não divulgada, información protegida, informação protegida",
  "no publicado, não publicado, pessoa física, persona física, particular",
  "non divulgato, dati protetti, dati riservati, nie ujawniono, nieujawnione, utajniono",
  "anonimo, nascosto, dati nascosti, non pubblicato, riservato, persona fisica",
  "nicht offengelegt, daten geschützt, geschützt, nicht angezeigt, niet vrijgegeven, ej publicerad, ei avaldata",
  "anonym, privat, privatperson, geheim, verborgen, nicht öffentlich, nicht veröffentlicht",
  "anoniem, afgeschermd, niet openbaar, niet gepubliceerd, privépersoon, natuurlijk persoon",
  "skjult, privatperson, fysisk person, yksityishenkilö, eraisik, fiziska persona, fizinis asmuo",
  "osoba fizyczna, dane ukryte, dane chronione, fyzická osoba, fizička osoba, fizična oseba, magánszemély, persoană fizică",
  "gerçek kişi, gizli, gizlenmiştir",
  "скрыто, данные скрыты, частное лицо, физическое лицо, приховано, фізична особа, приватна особа, скрито, физическо лице",
  "нет данных для показа, данные защищены, дані захищено, приховано за запитом, açıklanmadı, korunuyor, gizlidir",
  "受保护, 隐藏, 已隐藏, 数据保护, 不公开, 不公開, 資料保護, 보호됨, 정보보호",
  "非公開, 非公开, 未公開, 保密, 隐私保护, 隱私保護, 個人情報保護, 個人, 个人, 비공개, 개인정보보호",
];

/** By letters and digits alone. */
const lettersOf = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, "");
const WHOLE: ReadonlySet<string> = new Set(
  WHOLE_REDACTIONS.flatMap((line) => line.split(", ")).map(lettersOf),
);

/** A placeholder of an empty field. */
const BLANK =
  /^(?:[-.*_?\s]*|\**n[/.]?a\.?\**|\(?(?:none|null|nil|empty)\)?|unknown|not[ .](?:defined|available|set|assigned|applicable|provided|specified|given)\.?|no[ .](?:data|email|value|name[ .]?servers?|registrar|info(?:rmation)?)\.?|undefined\.?|unspecified|no registrar listed\b.*|not available from registry|information not available|no (?:object|entry|record) found!?)$/i;

/** Words in the name of a service that registers in its own name for others. */
const SERVICE_WORDS =
  /\bprivacy\b.*\b(?:service|protect|guard|llc|inc|ltd|corp|limited|customer|hero|ehf|provided|foundation|dept|department|administrator)|\bprivacy ?(?:protect|guard|hero|ehf)|\b(?:whois|domain|id|identity|registration|registrant|contact|owner)[ -]?(?:privacy|proxy|protection|protector|guard|shield|agent)\b|\bprivate (?:registration|by design|whois)\b|\bproxy (?:service|registration|protection)|\bregistration private\b|\b(?:domains?|registered) by proxy\b|\bon behalf of\b.*\b(?:customer|owner|client)\b/i;

/** Services whose name tells nothing, as they name themselves; compared by letters. */
const SERVICES: ReadonlySet<string> = new Set([
  "1337servicesllc",
  "1njallaoktallc",
  "anonymize",
  "anonymizeinc",
  "datashelter",
  "domainsbyproxycom",
  "identityprotectlimited",
  "knockknockwhoisnotthere",
  "knockknockwhoisnotthereinc",
  "knockknockwhoisnottherellc",
  "myprivacynet",
  "myprivacynetltd",
  "njalla",
  "njallaoktallc",
  "privacyguardianorg",
  "privacyguardianorgllc",
  "privacyprotectorg",
  "protecteddomainservices",
  "seeprivacyguardianorg",
  "tieredaccess",
  "whoisguard",
  "whoissecure",
  "whoistrustee",
  "whoistrusteecom",
  "whoistrusteecomlimited",
  "withheldforprivacy",
  "withheldforprivacyehf",
]);

/** Mail domains of such services. */
const SERVICE_MAIL =
  /(?:^|\.)(?:domainsbyproxy\.com|whoisguard\.com|privacyguardian\.org|withheldforprivacy\.com|contactprivacy\.(?:com|email)|privacyprotect\.org|whoisprotection\.\w+|anonymize\.com|perfectprivacy\.com|networksolutionsprivateregistration\.com|whoisprivacyprotect\.com|whoisproxy\.\w+|domainprivacygroup\.com|identity-protect\.org|superprivacyservice\.com|dataprivacyprotected\.\w+|o-w-o\.info|njal\.la|1337services\.\w+|protecteddomainservices\.com|myprivacy\.net|tieredaccess\.com|whoistrustee\.com|proxy\.dreamhost\.com|anonymised\.email|privacy\.[a-z.]+|registrar-privacy\.\w+|spamfree\.bookmyname\.com|withheld\.\w+)$/;

/** Nothing longer is a name or a placeholder; what is longer is judged by its beginning. */
const MAX_JUDGED = 300;

/** Whether a text says that the registry or registrar keeps the value to itself. */
export const isRedacted = (text: string): boolean => {
  const start = text.slice(0, MAX_JUDGED);
  return WHOLE.has(lettersOf(start)) || REDACTIONS.some((pattern) => pattern.test(start));
};

/** Whether a field holds no value: blank, `N/A`, `none`. */
export const isBlank = (text: string): boolean => BLANK.test(text.slice(0, MAX_JUDGED).trim());

/** Whether a country field holds no value; `NA` is the code of Namibia. Source: ISO 3166-1. */
export const isBlankCountry = (text: string): boolean => isBlank(text) && text.trim().toUpperCase() !== "NA";

/** Whether a registrant's name or organisation is a privacy or proxy service. */
export function isPrivacyService(name: string): boolean {
  const start = name.slice(0, MAX_JUDGED);
  return SERVICE_WORDS.test(start) || SERVICES.has(start.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** What is shown of a registrant, as written; null where the answer has no such field. */
export type ShownRegistrant = {
  readonly name: string | null;
  readonly organization: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly email: string | null;
};

/** What `judgeRegistrant` finds out. */
export type JudgedRegistrant = Pick<DomainRegistration, "registrant" | "privacyProtected" | "redactedFields">;

/**
 * The registrant without redacted texts and without the names of privacy services, which are listed in
 * `redactedFields` beside `redacted` (what the publisher lists itself: RFC 9537 members). `privacyProtected` is null
 * when nothing was said about a registrant. Source: design 10.
 */
export function judgeRegistrant(shown: ShownRegistrant, redacted: readonly string[] = []): JudgedRegistrant {
  const fields = new Set(redacted);
  const judge = (field: string, text: string | null, isEmpty = isBlank): string | null => {
    if (text === null || isEmpty(text)) return null;
    if (!isRedacted(text)) return text.trim();
    fields.add(field);
    return null;
  };
  const named = (field: string, text: string | null): string | null => {
    const name = judge(field, text);
    if (name === null || !isPrivacyService(name)) return name;
    fields.add(field);
    return null;
  };
  const registrant: Registrant = {
    name: named("registrant_name", shown.name),
    organization: named("registrant_organization", shown.organization),
    state: judge("registrant_state", shown.state),
    country: countryOf(judge("registrant_country", shown.country, isBlankCountry)),
    emailDomain: mailDomainOf(shown.email, fields),
  };
  const isAnythingShown = Object.values(registrant).some((value) => value !== null);
  return {
    registrant,
    privacyProtected: fields.size > 0 ? true : isAnythingShown ? false : null,
    redactedFields: [...fields].sort(),
  };
}

function mailDomainOf(email: string | null, fields: Set<string>): string | null {
  if (email === null || isBlank(email)) return null;
  const address = emailOf(email);
  const domain = address && emailDomainOf(address);
  if (domain !== null && !SERVICE_MAIL.test(domain) && !isRedacted(email)) return domain;
  if (domain !== null || isRedacted(email)) fields.add("registrant_email_domain");
  return null;
}

/** `nl` and `Hong Kong (HK)` become codes; a name stays as written. */
function countryOf(text: string | null): string | null {
  if (text === null) return null;
  const code = /^[a-z]{2}$/i.exec(text)?.[0] ?? /\(([A-Z]{2})\)$/.exec(text)?.[1];
  return code?.toUpperCase() ?? text;
}
