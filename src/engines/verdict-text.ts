import type { JsonOutput } from "../json.ts";
import type { Consultation, Verdict } from "./kind.ts";
import { inUrl, reportVerdict } from "./verdict-report.ts";

/*
 * The JSON text of `engines`, word for word what `reportVerdicts` holds. A list that does not name the target says the
 * same to everybody but for the target in its reference, and most lists name nobody: the text of all of them is kept
 * and copied, and the target written over its places. Of what a list says of those whom it names only they differ.
 */

/** Writes `verdicts` of a consultation about `targetText`, the normalised target. */
export function writeVerdicts(
  { verdicts, silence = [] }: Consultation,
  targetText: string,
  output: JsonOutput,
): void {
  const value = inUrl(targetText);
  const { templateFor, hitTextOf } = keptOf(silence);
  const template = templateFor(value.length);
  fill(template, value);
  const { bytes, spans } = template;
  let done = 0;
  let list = 0;
  for (let i = 0; i < verdicts.length; i++) {
    const verdict = verdicts[i];
    const miss = silence[list];
    if (verdict === miss) {
      list++;
      continue;
    }
    if (verdict === undefined) continue;
    const { from, to } = spans[list] ?? { from: bytes.length, to: bytes.length };
    output.bytes(bytes.subarray(done, from));
    done = from;
    if (miss?.engine === verdict.engine) {
      const matched = bareMatch(verdict, miss);
      if (matched === null) output.text(verdictText(verdict, targetText));
      else writeHit(matched, hitTextOf(list, miss), output);
      done = to;
      list++;
    } else {
      // An engine that is no list stands before the next list, or behind the last one.
      const text = verdictText(verdict, targetText);
      output.text(miss !== undefined ? `${text},` : i > 0 ? `,${text}` : text);
    }
  }
  output.bytes(bytes.subarray(done));
  output.text("}");
}

const verdictText = (verdict: Verdict, targetText: string): string =>
  `${JSON.stringify(verdict.engine.key)}:${JSON.stringify(reportVerdict(verdict, targetText))}`;

/** The text of lists that name nobody, from `{` to before `}`, with room for a value of some length in its places. */
type Template = {
  readonly bytes: Buffer;
  /** Of the same memory. */
  readonly words: DataView;
  /** Where the value belongs. */
  readonly places: Uint32Array;
  /** Where each list's text stands. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
};

/** What a list says of whom it names, where it tells nothing else of them. */
type HitText = {
  /** Up to the entry in `matched`, cut where the reference has the value. */
  readonly pieces: readonly Buffer[];
  /** From behind the level. */
  readonly end: Buffer;
};

type Kept = {
  readonly templateFor: (length: number) => Template;
  readonly hitTextOf: (list: number, miss: Verdict) => HitText;
};

const kept = new WeakMap<readonly Verdict[], Kept>();
const MAX_LENGTHS = 64;

function keptOf(silence: readonly Verdict[]): Kept {
  const known = kept.get(silence);
  if (known !== undefined) return known;
  const made = keep(silence);
  kept.set(silence, made);
  return made;
}

function keep(silence: readonly Verdict[]): Kept {
  const cuts = silence.map(cutMiss);
  const byLength = new Map<number, Template>();
  const hits: (HitText | undefined)[] = silence.map(() => undefined);
  return {
    templateFor: (length) => {
      const known = byLength.get(length);
      if (known !== undefined) return known;
      const template = templateFrom(cuts, length);
      if (byLength.size >= MAX_LENGTHS) byLength.clear();
      byLength.set(length, template);
      return template;
    },
    hitTextOf: (list, miss) => {
      hits[list] ??= cutHit(miss);
      return hits[list];
    },
  };
}

function templateFrom(cuts: readonly (readonly string[])[], length: number): Template {
  const room = " ".repeat(length);
  const places: number[] = [];
  const spans: { from: number; to: number }[] = [];
  let end = 1;
  for (const [i, pieces] of cuts.entries()) {
    if (i > 0) end++;
    const from = end;
    for (const [p, piece] of pieces.entries()) {
      if (p > 0) {
        places.push(end);
        end += length;
      }
      end += Buffer.byteLength(piece);
    }
    spans.push({ from, to: end });
  }
  const bytes = Buffer.from(`{${cuts.map((pieces) => pieces.join(room)).join(",")}`);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { bytes, words, places: Uint32Array.from(places), spans };
}

/** Writes the value at its places, over the one before: those of a copy would have to be brought back to the cache. */
function fill({ bytes, words, places }: Template, value: string): void {
  const { length } = value;
  let done = 0;
  for (; done + 4 <= length; done += 4) fillWord(words, places, done, value);
  // What is left is the end of one more word, if there is one.
  if (done < length && length >= 4) fillWord(words, places, length - 4, value);
  else {
    for (; done < length; done++) {
      const code = value.charCodeAt(done);
      for (const place of places) bytes[place + done] = code;
    }
  }
}

/** Writes four characters of ASCII of the value at once. */
function fillWord(words: DataView, places: Uint32Array, from: number, value: string): void {
  const high = (value.charCodeAt(from) << 8) | value.charCodeAt(from + 1);
  const low = (value.charCodeAt(from + 2) << 8) | value.charCodeAt(from + 3);
  const word = (high << 16) | low;
  for (let i = 0; i < places.length; i++) words.setInt32((places[i] ?? 0) + from, word);
}

/** A miss in pieces around the value. */
function cutMiss(miss: Verdict): readonly string[] {
  const { before, middle, after } = cutVerdict(miss);
  return withLast(before, (last) => `${last}${middle}null${after}`);
}

function cutHit(miss: Verdict): HitText {
  const { before, middle, after } = cutVerdict({ ...miss, detected: true });
  const pieces = withLast(before, (last) => `${last}${middle}{"value":`);
  return { pieces: pieces.map((piece) => Buffer.from(piece)), end: Buffer.from(`}${after}`) };
}

const withLast = (texts: readonly string[], change: (last: string) => string): readonly string[] =>
  texts.map((text, i) => (i === texts.length - 1 ? change(text) : text));

/**
 * A verdict around the value in its reference, and around what stands in `matched`. Only the reference is cut: another
 * text of the engine may hold `{value}` too.
 */
function cutVerdict(verdict: Verdict): { before: readonly string[]; middle: string; after: string } {
  const { engine } = verdict;
  const { name, detected, reference, matched, ...rest } = reportVerdict(verdict, "");
  const { elapsed_ms, kind, category, confidence, family, ...others } = rest;
  const template = engine.reference === null ? [reference] : engine.reference.split("{value}");
  const before = template.map((piece) => JSON.stringify(piece).slice(1, -1));
  before[0] = `${JSON.stringify(engine.key)}:${membersOf({ name, detected })},"reference":"${before[0] ?? ""}`;
  return {
    before,
    middle: `",${membersOf({ elapsed_ms, kind, category, confidence, family }).slice(1)},"matched":`,
    after: `,${membersOf(others).slice(1)}}`,
  };
}

/** From `{` to before `}`. */
const membersOf = (value: object): string => JSON.stringify(value).slice(0, -1);

/** The text of a list that names the target and tells nothing else of it. */
function writeHit({ value, level }: Match, { pieces, end }: HitText, output: JsonOutput): void {
  const inReference = pieces.length > 1 ? inUrl(value) : "";
  for (let p = 0; p < pieces.length; p++) {
    if (p > 0) output.text(inReference);
    output.bytes(pieces[p] ?? end);
  }
  output.string(value);
  output.text(',"level":');
  output.string(level);
  output.bytes(end);
}

type Match = NonNullable<Verdict["matched"]>;

/** The entry, where the list tells nothing else than that it holds it; else null. */
const bareMatch = (hit: Verdict, miss: Verdict): Match | null => (tellsMore(hit, miss) ? null : hit.matched);

/** Whether a hit tells more than its entry, or anything else than the miss does. */
const tellsMore = (hit: Verdict, miss: Verdict): boolean =>
  hit.codes.length > 0 ||
  hit.matched?.hop !== undefined ||
  hit.reason !== null ||
  hit.firstSeen !== null ||
  hit.lastSeen !== null ||
  !hit.detected ||
  hit.category !== miss.category ||
  hit.confidence !== miss.confidence ||
  hit.dataAgeS !== miss.dataAgeS ||
  hit.stale !== miss.stale ||
  hit.seed !== miss.seed ||
  hit.elapsedMs !== miss.elapsedMs;
