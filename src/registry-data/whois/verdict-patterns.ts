// What registries say in place of a record, as `plainSentence` gives it. Each expression wants the beginning of a
// sentence or words that a condition of use does not have.

const WHEN = String.raw`(?:later|after \d+|in (?:an?|\d+))`;
const STOPPED =
  "(?:denied|refused|rejected|blocked|forbidden|throttled|banned|not (?:allowed|permitted|authori[sz]ed))";
const BARRED =
  "(?:blocked|banned|black-?listed|throttled|rate[- ]?limited|restricted|suspended|denied access)";
const ASKER = "(?:ip(?:v[46])?(?: address)?|host|hostname|client|connection|address|network|subnet)";

/** The server does not answer now, or not this client. */
export const REFUSALS: readonly RegExp[] = [
  /\b(?:limit|quota|rate|allowance|(?:number|amount) of (?:\w+ ){0,3}(?:queries|requests|connections|lookups|sessions)|(?:queries|requests|connections|lookups)(?: per \w+)?)\b.{0,60}\b(?:exceeded|reached|exhausted|passed)\b/,
  /\b(?:you|ip|host|client|address)\b.{0,40}\b(?:have|has|are) (?:already )?(?:exceeded|exceeding|reached|passed)\b|^exceeded\b|^you exceed(?:ed)?\b/,
  /^(?:there (?:are|were|have been) )?too many\b|\btoo many (?:requests|queries|connections|lookups|simultaneous|concurrent|attempts)\b/,
  new RegExp(
    String.raw`^(?:your )?(?:access|quer(?:y|ies)|requests?|connections?|lookups?)(?: (?:from|of|by) \S{1,80})? ?(?:has been |have been |was |were |is |are )?(?:temporarily |currently |permanently )?${STOPPED}\b`,
  ),
  new RegExp(
    String.raw`^(?:your|this|the|client|source)? ?${ASKER}\b.{0,80}\b(?:${BARRED}|${STOPPED}|on (?:the|our|a) (?:black|block)list)\b`,
  ),
  new RegExp(
    String.raw`\byou(?:r (?:access|${ASKER}))?\b.{0,50}\b(?:have been|has been|are being|are currently|are temporarily|is currently|is temporarily|are now|were) (?:\w+ ){0,2}${BARRED}`,
  ),
  new RegExp(
    `^(?:you are )?${BARRED}$|^rate[- ]?limit(?:ed|ing)?(?: (?:exceeded|reached|hit|active|in effect))?$`,
  ),
  /\bgrace period\b.{0,30}\b(?:wait|\d+ ?(?:s|secs?|seconds?|minutes?))\b|^(?:you are )?still in (?:the )?grace period\b/,
  /^excessive (?:quer(?:y|ies|ying)|requests?|use|usage|access|lookups?|connections?)\b/,
  new RegExp(String.raw`\b(?:try|query|retry|ask|request|connect|come back)(?: again)? ${WHEN}\b`),
  /\bwait\b.{0,30}\b(?:\d{1,12} ?(?:s|secs?|seconds?|minutes?|hours?)\b|a (?:few|while|moment|minute)|before (?:trying|quer|send|your next|you))/,
  /^(?:please )?(?:go away|slow down)\b|\bplease go away\b|\bmaintain at least\b.{0,60}\b(?:seconds?|minutes?)\b/,
  /^(?:permission )?denied$|^not authori[sz]ed$|\b(?:quer(?:y|ies|ying)|requests?|interval)\b.{0,30}\btoo (?:often|fast|frequent|frequently|short|quickly)\b/,
  /\baccess control limit\b|^requests of this client are not permitted\b|^you are not (?:allowed|permitted|authori[sz]ed) to (?:connect|query)\b/,
  /^(?:the |this |our )?(?:whois |database |registry )?(?:server|service|system|registry|database|backend)\b.{0,20}\b(?:is |are )?(?:currently |temporarily |too )+(?:busy|unavailable|down|overloaded|offline|not available|out of (?:service|order)|under maintenance)\b/,
  /^(?:the |this )?(?:whois )?(?:server|service|system|registry|database)\b ?(?:is )?(?:busy|unavailable|down|overloaded|offline|under maintenance)\b|^temporarily unavailable\b|\bserver (?:is )?(?:too )?busy\b/,
  /^(?:internal (?:server )?error|time-?out|system error|unable to process|server error|service unavailable|database error)\b/,
  /\b(?:whois (?:service|server|protocol|access|system)|port[- ]43)\b(?!.{0,60}\b(?:will|being|going|to be)\b).{0,60}\b(?:retired|discontinued|decommissioned|sunset(?:ted)?|terminated|ceased|(?:switched|turned) off|shut ?down|(?:replaced|superseded) by|no longer (?:available|provided|supported|offered|answers?|operated|served|returns? (?:any|domain|registration)))\b|^(?:the |our )?whois (?:was|is|has been) (?:now )?(?:replaced by|superseded by|retired|discontinued|decommissioned|sunset(?:ted)?|(?:switched|turned) off|shut ?down|no longer (?:available|provided|supported|offered|operated|served))\b/,
  /\bno longer (?:offers?|provides?|operates?|supports?|runs?|serves?) (?:\w+ ){0,3}(?:whois|port[- ]43)\b|^(?:please )?(?:use|query|switch to) (?:the |our )?rdap\b(?!.{0,100}\b(?:more|further|additional|details)\b)/,
  /^(?:this )?(?:tld|domain|zone|extension)\b.{0,40}\bnot (?:supported|served|authorized|authoritative)\b|^no whois server\b/,
];

/** A condition of use is no refusal. Looked for up to the end of what matches. */
export const CONDITION =
  /\b(?:if|when|whenever|whether|once|unless|until|may|might|should|would|could|can|cannot|whose|who|that exceed|in order to|to (?:prevent|protect|avoid)|agree|reserves?|must|shall)\b/;

/** What shall happen to those who break the terms. Looked for in the whole sentence. */
export const THREAT =
  /\bwill (?:be|get) (?:\w+ ){0,2}(?:blocked|denied|banned|black-?listed|refused|rejected|throttled|limited|restricted|dropped|disconnected|prosecuted|logged)\b|\bwill (?:result|lead)\b|\b(?:hosts|users|clients|those|anyone|addresses|persons|parties) (?:that|who|which|exceeding|whose)\b/;

const NAME = String.raw`["']?[\p{L}\d_-]{1,63}(?:\.[\p{L}\d_-]{1,63}){1,9}["']?`;
const KIND = "(?:(?:(?:second|third|top)[- ]level )?domain(?: names?)?|names?|labels?|strings?|object|query)";
/** `the requested domain name "example.lab"`, `this name`, `example.lab`, `domain example.lab`. */
const SUBJECT = String.raw`(?:(?:the|this|that|requested|queried|following|above|such) ){0,3}(?:${KIND}(?: ?:? ?${NAME}| "[^"]{1,253}"| [\p{L}\d_-]{1,63}(?= (?:is|was|has|does)\b))?|${NAME})`;
const IS =
  " ?(?:[:;,-] ?)?(?:(?:is|was|are|has been|have been|is still|is currently|is now)(?: (?:currently|already|also|officially|a|an|on the|in|in the|by|still|now)){0,2} )?";
const said = (words: string): RegExp => new RegExp(`^${SUBJECT}${IS}(?:${words})`, "u");

/** A service that blocks names for the owners of trade marks has taken it. */
export const BLOCKS: readonly RegExp[] = [
  /\bblocked by\b.*\b(?:block|bsa|dpml|globalblock|adultblock|trade ?mark)/,
  /\b(?:dpml|globalblock|adultblock|uniregistry block) block\b|^the registration of this domain is restricted, as it is protected by\b/,
];

/** The registry reserves the name: it is not registered and cannot be. */
export const RESERVATIONS: readonly RegExp[] = [
  said(
    String.raw`reserved\b|prohibited$|prohibited (?:from|by|for|name|string)\b|excluded\b|withheld\b|withdrawn\b|forbidden$|(?:not available|unavailable|not open|not eligible|restricted|blocked) (?:for|from) (?:general |public )?registration\b|not registr?able\b|(?:reserved|prohibited|restricted|banned) (?:list|names?|words?)\b`,
  ),
  new RegExp(
    String.raw`^${SUBJECT}(?: is invalid and)? (?:can ?not|can't|may not|must not) be (?:registered|delegated|used|allocated)\b`,
    "u",
  ),
  // Names in the plural that are, can or must are those of a list, and not this one.
  /^(?!(?:registry |premium )?\w{6,10} (?:domain )?(?:string|domain|name|word)s (?:are|can|may|must|will)\b)(?:(?:registry |premium )?reserved(?: (?:domain )?(?:names?|by|for|list|word|string)\b|$)|(?:reserved|prohibited|restricted|banned|excluded) (?:string|domain|name|word)s?\b)/,
  /^not available for (?:(?:second|third)[- ]level )?registration\b|^(?:dominio|nombre|nom de domaine) (?:reservado|reserve)\b/,
];

/** The name was given up and is kept back for the former holder. */
export const QUARANTINES: readonly RegExp[] = [
  said(String.raw`(?:in |under )?(?:the )?(?:quarantine|redemption)(?: period| grace period)?\b`),
];

/** The name is not registered. */
export const VACANCIES: readonly RegExp[] = [
  /^(?:there (?:is|are|was|were) )?no (?:such |whois )?(?:match|matches|matching|entries|entry|data|records?|objects?|information|domain|results?|domain records?|matching records?)\b(?!.{0,80}\b(?:exceeded|denied)\b)/,
  /^no_se_encontro_el_objeto|^object_not_found|^no found$|^not found\b|^nothing found\b|^object (?:was )?not found\b|^[\w.-]{1,253}not found$/,
  said(
    String.raw`(?:could )?(?:not (?:found|exist(?:ing)?|registered|in (?:the |our )?(?:\w+ ){0,2}database|be found|assigned|allocated|delegated|taken|known)|available(?: for (?:registration|purchase|sale)|$)|free(?![.\w-])|vacant|unregistered|unassigned|unallocated|unknown|non-?existent|inexistent)`,
  ),
  new RegExp(String.raw`^${SUBJECT}.{0,120} (?:(?:does|do|did) not|doesn't|don't) exist\b`, "u"),
  /^(?:the |this )?(?:requested |queried )?(?:domain|domain name|object|data|record|entry|name)\b:?(?: (?!(?:but|contacts?|holder|owner|registered|registrant)\b|(?:is|was|has been) (?!not\b))\S{1,255}){0,4}? (?:was |is |has |have |could )?(?:not (?:found|exist|registered|been registered|in (?:the |our )?database|be found)|available for (?:registration|purchase)|unregistered)\b/u,
  new RegExp(`^${NAME} ?(?:[:-] ?)?(?:no match|no entries found|domain unknown)`, "u"),
  /\b(?:server|registry|database|whois|we) (?:does not|doesn't|do not|don't) have (?:any |an |a )?(?:data|information|records?|entr(?:y|ies)|match(?:es)?)\b|^this query returned 0 (?:objects|records|results)\b|^0 (?:objects|records|results|matches)\b/,
  /^(?:domain free|unassignable)$|^(?:has )?not (?:been )?registered(?:$| -)|^domain unknown\b/,
];

/**
 * What takes the sense from a sentence that begins like a vacancy: a negation (`no longer available`), a reason why a
 * record is not shown, a failure of the server's own, another seller, a market, a place that is not the registry, or a later
 * date.
 */
export const NO_VACANCY =
  /\b(?:not|no)(?: (?:longer|yet|currently))? (?:available|free)\b|\b(?:privacy|gdpr|anonymous|redacted|received|backend|loaded|unavailable|timed out|cached?|file|premium|platinum|another registrar|try registry|its owner)\b|\b(?:available|free|registered|vacant)[ ,(]{1,3}(?:(?:(?:after|in|on) (?:\w{1,9} )?)?\d|(?:again|anymore|as soon|beginning|from|once|since|soon|starting|till|until|when)\b)|\bwill (?:\w{1,20} )?be(?:come)?\b|\bon this server\b|\bfree to (?!(?:be )?regist)|\b(?:auctions?|back-?orders?|dropzone)\b|\bbut (?:is |was )?(?:already )?registered\b|\bwith us\b|\bnot (?:been |currently |yet )?registered here\b|\bregistered (?:by|through|to) (?:you|us)\b|\b(?:my|your) (?:account|portfolio)\b|\b(?:registered|delegated|published) in (?:the )?zone\b/;

/**
 * Why a server that found nothing may not have looked where the record is, or may not show it: a failure, a refusal, a
 * data base that is not whole or not the registry's. Looked for in the sentence of a vacancy and in those of its line.
 */
export const TROUBLE =
  /\b(?:errors?|fail(?:ed|ures?)|time-?outs?|technical|exceptions?|throttl(?:ed|ing)|truncated|partial|incomplete|corrupt(?:ed)?|maintenance|rebuil(?:t|ding)|re-?index(?:ed|ing)|synchroni[sz](?:ed|ing|ation)|offline|unreachable|upstream|because|due to|sandbox|staging|ot&e|test (?:data ?base|environment|registry|server|system)|log[- ]?in|sign[- ]?in|logged in|authenticat(?:e|ed|ion)|credentials|denied|refused|restricted|not public(?:ly)?|non-?public|public data|hidden|(?:allow|white)-?listed|allowance|wait|retry|try (?:again|later)|(?:could|can) ?not be (?:checked|contacted|processed|queried|reached|retrieved|verified)|not be (?:processed|reached)|fehler|gesperrt|erreur|indisponible|fallo|falha|errore)\b/;

/**
 * What a server says beside a vacancy when the record is elsewhere, or when the name only seems to have no holder: another
 * protocol or page to ask, a life that has not begun or not ended. Looked for where `TROUBLE` is.
 */
export const ELSEWHERE =
  /\b(?:rdap|port[- ]43|captcha|web[- ]?form|(?:ask|consult|query|served by|try|use) (?:the )?whois\.\w{1,63}|pending ?(?:create|creation|delete|deletion|restore|transfer)|redemption)\b/;

/** What is known to be another registry's, registrar's or server's. */
export const HELD_ELSEWHERE =
  /\b(?:registered|held|managed|maintained|administered) (?:at|by|in|with) (?:another|a different)\b/;

/** A sentence beside a vacancy that tells of terms, and of no trouble. */
export const TERMS =
  /\b(?:if|when|whenever|may|might|should|must|shall|agree|unless|terms|policy|spelling|contact|support|restricted to|please (?:see|visit|report|check))\b/;

/** Words of a status: those of a vacant name are the whole of it, of a reserved one the first are enough. */
export const STATUS_WORDS = {
  vacant:
    /^(?:(?:domain )?(?:available|avail|free|not registered|unassigned|no object(?: found)?|no match(?: found)?|unregistered|not found|not exist|does not exist|unallocated|not delegated|non-?existent|inexistent)|libre|disponible|disponivel|disponibile|frei)(?: for registration)?$/,
  reserved:
    /^(?:registry[- ]?)?(?:reserved|prohibited|not allowed|excluded|withdrawn|forbidden)\b|^(?:not available|unavailable|restricted) (?:for|from) registration\b/,
} as const;
