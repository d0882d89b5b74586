import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Refusal } from "../../base/failure.ts";
import { SLOTS } from "../../exports/decisions/outputs.ts";
import { DELETED, END, NEW } from "../../exports/decisions/stream-body.ts";
import { deltaId, viewId } from "../../exports/decisions/stream-view.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { ExportShelf, OpenBody } from "../../exports/shelf.ts";
import { encodingFor } from "../compression.ts";
import { JSON_CONTENT_TYPE } from "../envelope.ts";
import { type Exchange, rawHeaders } from "../raw-requests.ts";
import { type DeliveryPlan, RENEWED_AFTER } from "./cursors.ts";
import type { LapiQuestion } from "./question.ts";

/** An answer that left whole: which generation its bouncer has now, and how many rows its view cannot tell. */
export type SentStream = { readonly facts: ExportFacts; readonly notEnforceable: number | null };

export type StreamAnswer = {
  readonly question: LapiQuestion;
  readonly plan: DeliveryPlan;
  readonly facts: ExportFacts;
  /** The token that asks. */
  readonly asker: string;
  readonly isClosing: boolean;
  /** Logs why a body could not be made. */
  readonly noteFault: (error: unknown) => void;
};

/**
 * Sends decisions; resolves once all of them left. Rejects with a Refusal before anything was sent, and otherwise when the connection
 * was cut, by the bouncer or, where a file could not be read to its end, here: what began is never closed into valid JSON.
 */
export async function sendStream(
  exchange: Exchange,
  answer: StreamAnswer,
  exports: Pick<ExportShelf, "open">,
): Promise<SentStream> {
  const { plan, facts, question } = answer;
  const isPacked = encodingFor(exchange.request.headers["accept-encoding"], ["gzip"]) === "gzip";
  const opened: OpenBody[] = [];
  const telling = { view: question.view, durationS: plan.durationS };
  const whole = viewId(telling);
  const open = async (id: string, coding: "gzip" | null): Promise<OpenBody> => {
    const isOnce = id !== whole;
    const body = await openOrRefuse(answer, exports, { id, isOnce, coding });
    opened.push(body);
    return body;
  };
  try {
    if (plan.from === null)
      return await sendFile(exchange, answer, await open(whole, isPacked ? "gzip" : null));
    const delta = plan.from === facts.generation ? null : deltaId(telling, plan.from);
    const slots = dueSlots(plan, plan.heldS);
    if (delta !== null && slots.size === 0) {
      return await sendFile(exchange, answer, await open(delta, isPacked ? "gzip" : null));
    }
    const changes = delta === null ? null : await open(delta, null);
    const all = slots.size === 0 ? null : await open(whole, null);
    // Else a decision could be renewed that is deleted in the same answer.
    if (changes !== null && all !== null && changes.facts.generation !== all.facts.generation)
      throw notReady();
    await sendPieces(exchange, answer, {
      changes,
      renewed: all === null ? [] : runsOf(all, slots),
      isPacked,
    });
    return { facts: changes?.facts ?? facts, notEnforceable: (changes ?? all)?.info.dropped ?? null };
  } finally {
    for (const { file } of opened) await file.close();
  }
}

type Wanted = { readonly id: string; readonly isOnce: boolean; readonly coding: "gzip" | null };

/** Whatever keeps a body from being made, its bouncer is told to come back: it keeps what it has. */
async function openOrRefuse(
  { facts, asker, noteFault }: StreamAnswer,
  exports: Pick<ExportShelf, "open">,
  { coding, ...body }: Wanted,
): Promise<OpenBody> {
  try {
    const opened = await exports.open(facts.name, body, { coding, asker });
    if (opened !== null) return opened;
  } catch (error) {
    noteFault(error);
  }
  throw notReady();
}

const notReady = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: "These decisions are not ready; try again",
    retryAfterS: 10,
  });

/** Turns whose time came. They are spread evenly over the time between renewals, by the wall clock. */
export function dueSlots(
  { sinceMs, untilMs }: Pick<DeliveryPlan, "sinceMs" | "untilMs">,
  durationS: number,
): ReadonlySet<number> {
  const due = new Set<number>();
  if (sinceMs === null) return due;
  const periodMs = durationS * 1000 * RENEWED_AFTER;
  for (let slot = 0; slot < SLOTS; slot++) {
    const turn = (ms: number): number => Math.floor(ms / periodMs - slot / SLOTS);
    if (turn(untilMs) > turn(sinceMs)) due.add(slot);
  }
  return due;
}

/** A part of a file, up to `end`. */
type Slice = { readonly file: FileHandle; readonly start: number; readonly end: number };

function runsOf({ file, info }: OpenBody, slots: ReadonlySet<number>): readonly Slice[] {
  const runs = info.stream?.runs ?? [];
  const slices: Slice[] = [];
  for (let i = 0; i + 2 < runs.length; i += 3) {
    const [slot = -1, start = 0, end = 0] = runs.slice(i, i + 3);
    if (slots.has(slot)) slices.push({ file, start, end });
  }
  return slices;
}

function headOf(
  exchange: Exchange,
  { isClosing }: Pick<StreamAnswer, "isClosing">,
  facts: ExportFacts,
): string[] {
  const head = rawHeaders(exchange);
  head.push("Content-Type", JSON_CONTENT_TYPE, "Cache-Control", "no-store", "Vary", "Accept-Encoding");
  head.push("X-Export-Name", facts.name, "X-Export-Generation", String(facts.generation));
  head.push("X-Export-Made-At", facts.made_at, "X-Export-Entries", String(facts.entries));
  if (isClosing) head.push("Connection", "close");
  return head;
}

/** Headers alone; a bouncer that only looks is not taken to have anything. */
export function sendStreamHead(exchange: Exchange, answer: Pick<StreamAnswer, "facts" | "isClosing">): void {
  exchange.response.writeHead(200, headOf(exchange, answer, answer.facts));
  exchange.response.end();
}

async function sendFile(
  exchange: Exchange,
  answer: StreamAnswer,
  { file, bytes, coding, facts, info }: OpenBody,
): Promise<SentStream> {
  const head = headOf(exchange, answer, facts);
  head.push("Content-Length", String(bytes), "X-Export-Not-Enforceable", String(info.dropped));
  if (coding !== null) head.push("Content-Encoding", coding);
  exchange.response.writeHead(200, head);
  await pipeline(Readable.from(octetsOf([{ file, start: 0, end: bytes }])), exchange.response);
  return { facts, notEnforceable: info.dropped };
}

type Pieces = {
  readonly changes: OpenBody | null;
  readonly renewed: readonly Slice[];
  readonly isPacked: boolean;
};

async function sendPieces(
  exchange: Exchange,
  answer: StreamAnswer,
  { changes, renewed, isPacked }: Pieces,
): Promise<void> {
  const came = sliceOf(changes, "new");
  const went = sliceOf(changes, "deleted");
  // The way to give an element of the kernel's sets more time is to take it out and put it in again, in this order. Others take
  // what is deleted out last.
  const isPaired = answer.plan.keepsTimes;
  const parts = [
    ...[NEW, ...joined([...came, ...renewed])],
    ...[DELETED, ...joined([...went, ...(isPaired ? renewed : [])]), END],
  ];
  const head = headOf(exchange, answer, changes?.facts ?? answer.facts);
  const bytes = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const isWorthPacking = isPacked && bytes > 1024;
  head.push(...(isWorthPacking ? ["Content-Encoding", "gzip"] : ["Content-Length", String(bytes)]));
  exchange.response.writeHead(200, head);
  const source = Readable.from(octetsOf(parts));
  if (isWorthPacking) await pipeline(source, createGzip(), exchange.response);
  else await pipeline(source, exchange.response);
}

const sliceOf = (body: OpenBody | null, list: "new" | "deleted"): readonly Slice[] => {
  const [start, end] = body?.info.stream?.[list] ?? [0, 0];
  return body === null || start === end ? [] : [{ file: body.file, start, end }];
};

const joined = (slices: readonly Slice[]): readonly (Slice | string)[] =>
  slices.flatMap((slice, i) => (i === 0 ? [slice] : [",", slice]));

const lengthOf = (part: Slice | string): number =>
  typeof part === "string" ? part.length : part.end - part.start;

const READ_BYTES = 65_536;

async function* octetsOf(parts: readonly (Slice | string)[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part === "string") {
      yield Buffer.from(part, "latin1");
      continue;
    }
    for (let at = part.start; at < part.end; ) {
      const buffer = Buffer.alloc(Math.min(READ_BYTES, part.end - at));
      const { bytesRead } = await part.file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error("A file of decisions ended too early");
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
