import { folded } from "./folded.ts";
import { isEndOfRecord, type Line } from "./lines.ts";

const MAX_LINES = 500;
/** A longer line is prose. */
const MAX_LINE_LENGTH = 300;
/** A longer sentence is a condition of use. */
const MAX_SENTENCE_LENGTH = 600;
/** A shorter line was not broken because it was full. */
const FULL_LINE = 45;

/** The signs before a comment, and what stands around a statement to make it seen. */
const SIGN = /^(?:[%#;*>=!"'\s-]|\/\/)+/;
const FRAME = /(?<![\s*<="'-])[\s*<="'-]+$/;

/**
 * `written` is the text as the server sent it, `plain` the same text as the patterns of a verdict want it, `beside` what
 * else its line says, as `plain` has it. `isComment`: by
 * the sign before its line.
 */
export type Sentence = {
  readonly written: string;
  readonly plain: string;
  readonly beside: readonly string[];
  readonly isComment: boolean;
};

type Body = { readonly sign: string; readonly text: string };

/**
 * The sentences of an answer; `plain` is in lower case, without accents, comment signs, error codes and final punctuation.
 * Lines that were broken in the middle of a sentence are joined, so that no half of a condition of use is taken for a statement. The
 * terms of use after the record are left out.
 */
export function sentencesOf(lines: readonly Line[]): Sentence[] {
  const sentences: Sentence[] = [];
  let text = "";
  let last: Body = { sign: "", text: "" };
  const end = () => {
    if (text !== "" && text.length <= MAX_SENTENCE_LENGTH) sentences.push(...split(text, last.sign !== ""));
    text = "";
  };
  for (const line of lines.slice(0, MAX_LINES)) {
    if (isEndOfRecord(line.text) && sentences.length > 0) break;
    const body = bodyOf(line.text);
    if (!isBroken(last, body)) end();
    if (text.length <= MAX_SENTENCE_LENGTH) text = text === "" ? body.text : `${text} ${body.text}`;
    last = body;
  }
  end();
  return sentences;
}

function bodyOf(line: string): Body {
  if (line.length > MAX_LINE_LENGTH) return { sign: "", text: "" };
  const frame = SIGN.exec(line)?.[0] ?? "";
  return {
    sign: /^(?:[%#;]|\/\/)/.exec(frame)?.[0] ?? "",
    text: line.slice(frame.length).replace(FRAME, ""),
  };
}

/** Whether the second line goes on with the first one's sentence. */
const isBroken = (first: Body, second: Body): boolean =>
  first.sign === second.sign &&
  first.text.length >= FULL_LINE &&
  !/[.!?:;]$/.test(first.text) &&
  second.text !== "" &&
  !/^(?:\(?\d{1,2}[.)]|[•·])/.test(second.text);

function split(text: string, isComment: boolean): Sentence[] {
  const sentences = text
    .split(/(?<=[.!?])\s/)
    .map(sentenceOf)
    .filter(({ plain }) => plain !== "");
  return sentences.map((sentence) => {
    const others = sentences.filter((other) => other !== sentence);
    return { ...sentence, isComment, beside: others.map(({ plain }) => plain) };
  });
}

/** One sentence, both ways. */
export function sentenceOf(text: string): Sentence {
  const written = text.slice(0, MAX_SENTENCE_LENGTH);
  return { written, plain: plainSentence(written), beside: [], isComment: false };
}

/** `%ERROR:201: Access denied.`, `-3: Access denied`, `440 Access Denied` are all `access denied`. */
const plainSentence = (text: string): string =>
  folded(text)
    // Names may have these between letters: `paral·lel.lab`. Source: RFC 5892, appendix A.
    .replace(/(?<=\p{L})[·・׳״](?=\p{L})/gu, "")
    .replace(/^[^\p{L}\d"]+/u, "")
    .replace(/^(?:error|err|warning|note|notice|sorry)\b(?!\.[\p{L}\d]|-\p{L})[\s:;,.!#-]{0,5}(?:but )?/u, "")
    .replace(/^-?\d{1,12}(?:[:)] ?|\. | ?- | (?=\p{L}))/u, "")
    .replace(/(?<![\s.!])[\s.!]+$/, "");
