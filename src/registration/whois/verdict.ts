/** What an answer without a record says. */
export type Verdict = "not_found" | "reserved" | "blocked" | "refused";

/** A line is prose, and no verdict, from here on. */
const MAX_LINE_LENGTH = 300;
const MAX_LINES = 2000;

/**
 * Patterns for one line without comment signs and outer punctuation. Those of a refusal come first: an answer that
 * says both is no proof that a name is free. Disclaimers speak of limits too, so the patterns want the whole line or a
 * past form.
 */
const VERDICTS: readonly (readonly [Verdict, readonly RegExp[]])[] = [
  [
    "refused",
    [
      /\b(?:limit|quota|rate|number of (?:\w+ )?(?:queries|requests|connections|lookups))\b.{0,60}\b(?:exceeded|reached|exhausted)\b/i,
      /\b(?:you have|has been|have been|already) (?:exceeded|reached)\b|^(?:error:? *)?exceeded\b/i,
      /^(?:error:? ?\d*:? *)?too many (?:requests|queries|connections|lookups|simultaneous)/i,
      /^(?:error:? ?\d*:? *)?(?:access|query|request|connection) (?:has been |was |is )?(?:denied|refused|rejected|restricted|blocked)\b/i,
      /\baccess control limit\b|\bexcessive quer(?:y|ies|ying) (?:detected|from)\b|\brate[- ]?limited\b/i,
      /^(?:your|this|the) (?:ip|ip address|host|client|connection|address)\b.{0,80}\b(?:blocked|banned|blacklisted|denied|not authori[sz]ed|refused|restricted)\b/i,
      /^requests of this client are not permitted/i,
      /^(?:please )?(?:try|query) again (?:later|after|in)\b|^(?:the )?(?:server|service|system|registry|database) (?:is )?(?:currently |temporarily )*(?:busy|unavailable|down|overloaded|too busy)/i,
      /^(?:internal (?:server )?error|timeout|time-?out|system error|unable to process|server error)\b/i,
      /\bwhois (?:service|server)\b.{0,60}\b(?:retired|discontinued|decommissioned|shut ?down|no longer (?:available|provided|supported))\b/i,
      /^(?:this )?(?:tld|domain|zone|extension)\b.{0,40}\bnot (?:supported|served|authorized|authoritative)\b|^no whois server\b/i,
    ],
  ],
  [
    "blocked",
    [
      /\bblocked by\b.*\b(?:block|dpml|globalblock|adultblock|trade ?mark)/i,
      /\b(?:dpml|globalblock|adultblock|uniregistry block) block\b|^the registration of this domain is restricted, as it is protected by\b/i,
    ],
  ],
  [
    "reserved",
    [
      /^(?:the |this )?(?:requested )?(?:domain|domain name|name|label)?\b.{0,80}\b(?:is|has been|are) (?:a )?(?:reserved|not available for registration|restricted from registration|prohibited|excluded|withheld)\b/i,
      /^(?:status|domain status|state) ?:\s*(?:reserved|prohibited|not allowed|excluded|withdrawn|forbidden)\b/i,
      /^reserved (?:domain )?(?:name|by)\b|^reserved$|^this name is reserved\b/i,
      /^\S+ is (?:excluded|withdrawn)\b/i,
    ],
  ],
  [
    "not_found",
    [
      /^(?:status|domain status|query[_ ]status|state|registration status|availability) ?:\s*(?:available|free|not registered|unassigned|no object|220 available|unregistered|not found)\b/i,
      /^(?:error:? ?\d*:? *)?(?:sorry,? *(?:but )?)?no (?:match|matches|entries|entry|data|records?|object|objects|information|such domain|domain records?|matching records?)\b(?!.{0,80}\b(?:exceeded|denied)\b)/i,
      /^no_se_encontro_el_objeto|^object_not_found|^no found$|^not? found\b|^nothing found\b|^no data was found/i,
      /^(?:error:? ?\d*:? *|sorry,? *(?:but )?)?(?:the )?(?:requested |queried )?(?:domain|domain name|object|data|record|entry|name)\b.{0,270}?\b(?:was |is |has |have |could )?(?:not (?:found|exist|registered|been registered|in database|be found)|available for (?:registration|purchase)|unregistered)\b/i,
      /^(?:the )?(?:requested |queried )?(?:domain|domain name|object|name)\b.{0,270}?\bdoes(?: not|n't) exist\b/i,
      /^(?:this|the) (?:domain|domain name|name)\b.{0,270}?\b(?:is (?:available|free|not registered)|has not been registered)\b/i,
      /^"?[\p{L}\d_-]{1,63}(?:\.[\p{L}\d_-]{1,63}){1,9}"? ?(?:[:-] ?)?(?:is (?:free|available(?: for (?:registration|purchase))?|not registered)|not found|no match|no entries found|does not exist|not registered|no existe|domain unknown)\b/iu,
      /^(?:there is|we do not have) (?:no|an) entry in our database\b|^domain (?:unknown|free)$|^available$|^free$|^unassignable$/i,
      /^el dominio no se encuentra registrado\b|^dominio .{0,260}no (?:encontrado|registrado|existe)\b|^aucun (?:objet|domaine|enregistrement)\b|^nincs talalat\b/i,
      /^not registered$|^nicht (?:gefunden|registriert)\b/i,
    ],
  ],
];

/** A condition in the terms of use is no refusal. */
const CONDITION = /\b(?:if|when|may|might|should|would|can)\b/i;

/** What the lines of an answer say when they hold no record; null when none of them says anything known. */
export function verdictOf(text: string): Verdict | null {
  const lines = answerLines(text);
  for (const [verdict, patterns] of VERDICTS) {
    const isSaid = (line: string) => patterns.some((pattern) => pattern.test(line));
    const isPlain = (line: string) => verdict !== "refused" || !CONDITION.test(line);
    if (lines.some((line) => isSaid(line) && isPlain(line))) return verdict;
  }
  return null;
}

/** Lines until the terms that follow an answer, without comment signs, stars, arrows and quotes around. */
function answerLines(text: string): string[] {
  const lines = text.split("\n", MAX_LINES);
  const end = lines.findIndex((line) => /^(?:>>> |--\s*$)/.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line.length <= MAX_LINE_LENGTH)
    .map((line) =>
      line
        .trim()
        .replace(/^[%#*>\s"'=\-[\]]+/, "")
        .replace(/[\s.!*<]+$/, ""),
    )
    .filter((line) => line !== "");
}
