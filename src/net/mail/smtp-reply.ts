// What a mail server's reply to a mailbox is about: the mailbox, or us who ask.

export type SmtpReply = {
  readonly code: number;
  /** It is about the asking machine, its sender or its spelling, and says nothing of the mailbox. */
  readonly isAboutUs: boolean;
  /** A line says that the server takes addresses with others than ASCII characters. */
  readonly takesUtf8: boolean;
};

/** A reply's line: code, what tells the last one, subject and detail of the enhanced code (RFC 3463). */
export const LINE = /^([2-5]\d\d)([ -]?)(?:[245]\.(\d{1,3})\.(\d{0,3}))?/;

/** Texts are cut here: no server explains itself at greater length. */
const MAX_WORDS = 4096;

export function replyOf(code: number, lines: readonly string[]): SmtpReply {
  const codes = lines
    .map((line) => LINE.exec(line))
    .map((match) => [match?.[3] ?? "", match?.[4] ?? ""] as const);
  const words = wordsOf(lines);
  const isAboutUs =
    codes.some(([subject]) => subject === "6" || subject === "7") ||
    REFUSALS.test(words) ||
    ((codes.some(isOfOthers) || COMPLAINTS.test(words)) && !UNKNOWN_MAILBOX.test(words));
  const takesUtf8 = lines.some((line) => line.slice(4).trim().toUpperCase() === "SMTPUTF8");
  return { code, isAboutUs, takesUtf8 };
}

export const isTaken = ({ code }: SmtpReply): boolean => code === 250 || code === 251;

/** Of 5xx only 550, 551 and 553 speak of the mailbox (RFC 5321, 4.2.3), and not where they speak of us. */
export const isNobodys = ({ code, isAboutUs }: SmtpReply): boolean =>
  (code === 550 || code === 551 || code === 553) && !isAboutUs;

/** The server's own words, UTF-8 among them: the mailbox that it repeats, or a page of help, may be called `helo`. */
const wordsOf = (lines: readonly string[]): string =>
  Buffer.from(lines.map((line) => line.slice(LINE.exec(line)?.[0].length ?? 0).trim()).join(" "), "latin1")
    .toString("utf8")
    .split(" ")
    .filter((word) => !/@|:\/\//.test(word))
    .join(" ")
    .slice(0, MAX_WORDS);

/**
 * Enhanced codes that are not about whether the mailbox is there: the sender's address (X.1.7, X.1.8), a full mailbox
 * (X.2.2), the mail system, the way to it, the protocol (X.3, X.4, X.5). Source: RFC 3463, 3.
 */
const isOfOthers = ([subject, detail]: readonly [string, string]): boolean =>
  ["3", "4", "5"].includes(subject) ||
  (subject === "1" && ["7", "8", "9"].includes(detail)) ||
  (subject === "2" && ["2", "3", "4"].includes(detail));

/** Refusals of the asking machine, and of the null sender, as servers without such codes word them. */
const REFUSALS =
  /\b(?:(?:black|block|deny)[ -]?list(?:s|ed|ing)?|rbls?|dnsbls?|blocked using|spamhaus|spamcop|barracuda|sorbs|uceprotect|reverse dns|rdns|ptr record|(?:he|eh)lo|client host|administrative prohibition|your (?:ip|host|hostname|network|server|isp|domain|mail ?server|country)|(?<!relay )access denied|too many|senders?|mail from|call-?(?:out|back)s?|sperrliste|schwarze liste|liste noire|lista negra)\b|黑名单|ч[её]рн\S{0,3} спис/i;

/** Words that may stand in a reply about a mailbox too, where that says so. */
const COMPLAINTS =
  /\b(?:spf|dkim|dmarc|starttls|tls|ssl|encryption|encrypted|auth|authenticat(?:e|ed|ion)|log ?in|reputation|spam|junk|unsolicited|dynamic|residential|dial-?up|dul|quota|rate limit(?:ed|s)?|limit (?:exceeded|reached)|throttled|over ?quota|mailbox (?:is )?full|greylist(?:ed|ing)?|(?:connection|content)s? (?:denied|refused|rejected|limited)|not be accepted|try (?:again )?later|not allowed to send|ip(?:v[46])? address(?:es)?|ip-adresse)\b|\[\d{1,3}(?:\.\d{1,3}){3}\]/i;

/** A mailbox that is not there, in words. */
const UNKNOWN_MAILBOX =
  /\b(?:no such|unknown|invalid|non-?existent|bad|inactive) (?:local )?(?:users?|mailbox|recipients?|address|account|person|destination)\b|\b(?:user|mailbox|recipient|(?<!ip )address|account|addressee) (?:\S{1,40} ){0,8}(?:unknown|not found|not exist|doesn't exist|invalid|disabled|inactive|suspended)\b|\bno mailbox\b/i;
