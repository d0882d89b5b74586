import { type Budget, createBudget } from "../budget.ts";
import type { BudgetShare } from "../budget-pool.ts";
import { presentParty } from "../party.ts";

/**
 * Memory for pages: of the process, shared out among its holders. Every page takes a first piece; what is longer takes
 * all that it may come to at once, so that no page waits for what another waiting one holds.
 */
export type PageMemory = { readonly starts: Budget; readonly rests: Budget; readonly rooms: Rooms };

/** Buffers for whole pages, used by one page after the other. */
type Rooms = { readonly take: () => Buffer | null; readonly giveBack: (room: Buffer) => void };

const MIB = 1024 * 1024;
/** More than most pages have. */
const START_BYTES = 131_072;
const STARTS_BYTES = 12 * MIB;
const RESTS_BYTES = 52 * MIB;

/** 64 MiB; more where one page may have more than an eighth of that. Source: security P4. */
export function createPageMemory(maxPageBytes: number): PageMemory {
  const capacity = Math.max(RESTS_BYTES, 2 * maxPageBytes);
  return {
    starts: createBudget({ capacity: STARTS_BYTES }),
    rests: createBudget({ capacity }),
    rooms: createRooms(maxPageBytes, Math.floor(capacity / maxPageBytes)),
  };
}

/**
 * As many rooms as fit, each made when it is first needed and kept: the system's first touch of five new megabytes
 * holds the event loop for longer than all that is done with them. They are shared memory, which the thread that reads
 * a page sees without a copy, and which weighs on no collection of garbage.
 */
function createRooms(bytes: number, count: number): Rooms {
  const free: Buffer[] = [];
  let made = 0;
  return {
    take: () => free.pop() ?? (made++ < count ? Buffer.from(new SharedArrayBuffer(bytes)) : null),
    giveBack: (room) => void free.push(room),
  };
}

/** The page of one fetch: that of the last hop. */
export type PageBuffer = {
  /** Forgets what was read so far. False: there was no memory for another page before the signal aborted. */
  readonly open: (size: PageSize) => Promise<boolean>;
  /** Throws `NoMemoryForPage` when there was none before the signal aborted. */
  readonly add: (chunk: Buffer) => void | Promise<void>;
  /** What was read. Nothing is added afterwards, and only its length is still held. */
  readonly finish: () => Buffer;
  readonly release: () => void;
};

/** In octets: what is read at most, and what the server announced, if that will be all of it. */
type PageSize = { readonly maxBytes: number; readonly announcedBytes: number | null };

/** The memory of the process was all in use. */
export class NoMemoryForPage extends Error {}

/** A buffer that takes memory as the page grows. Its opener releases it. */
export function createPageBuffer({ starts, rests, rooms }: PageMemory, signal: AbortSignal): PageBuffer {
  const octets = createOctets(rooms);
  let held: BudgetShare[] = [];
  let mostBytes = 0;
  const take = async (budget: Budget, amount: number): Promise<boolean> => {
    const part = await budget.acquire({ party: presentParty(), amount, signal });
    if (part !== null) held.push(part);
    return part !== null;
  };
  const release = (): void => {
    for (const part of held) part.release();
    held = [];
    octets.clear();
  };
  const grow = async (chunk: Buffer): Promise<void> => {
    if (held.length === 1 && !(await take(rests, mostBytes)))
      throw new NoMemoryForPage("No memory for the page");
    octets.borrow();
    octets.moveTo(Math.max(mostBytes, octets.length() + chunk.length));
    octets.put(chunk);
  };
  return {
    open: ({ maxBytes, announcedBytes }) => {
      release();
      mostBytes = Math.min(maxBytes, announcedBytes ?? maxBytes);
      return take(starts, Math.min(START_BYTES, mostBytes));
    },
    add: (chunk) => {
      const wanted = octets.length() + chunk.length;
      const size = octets.size();
      if (wanted > size && wanted > START_BYTES) return grow(chunk);
      if (wanted > size) octets.moveTo(Math.min(START_BYTES, Math.max(4096, 2 * size, wanted)));
      octets.put(chunk);
    },
    finish: () => {
      const bytes = octets.finish();
      if (held.length === 2) held[1]?.shrink(bytes.length);
      return bytes;
    },
    release,
  };
}

/** What was read, in a buffer of its own or in a room that is lent. */
function createOctets(rooms: Rooms) {
  let lent: Buffer | null = null;
  let room: Buffer = Buffer.alloc(0);
  let length = 0;
  const moveTo = (bytes: number): void => {
    // Of a new buffer, what nothing was written to yet takes none of the machine's memory.
    const other = lent !== null && lent.length >= bytes ? lent : Buffer.allocUnsafeSlow(bytes);
    room.copy(other, 0, 0, length);
    room = other;
  };
  return {
    length: () => length,
    size: () => room.length,
    moveTo,
    /** The next move goes into a room, where one is free. */
    borrow: () => {
      lent ??= rooms.take();
    },
    put: (chunk: Buffer) => {
      chunk.copy(room, length);
      length += chunk.length;
    },
    finish: () => {
      // A short page must not keep the memory of a long one; a room is kept all the same.
      if (lent === null && length < room.length / 2) moveTo(length);
      return room.subarray(0, length);
    },
    clear: () => {
      if (lent !== null) rooms.giveBack(lent);
      lent = null;
      room = Buffer.alloc(0);
      length = 0;
    },
  };
}
