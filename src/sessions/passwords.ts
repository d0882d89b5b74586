import { argon2, timingSafeEqual } from "node:crypto";
import type { Random } from "../base/clock.ts";
import { InvalidValue, Refusal } from "../base/failure.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** What the key is made of. Source: security P15 (OWASP's least). */
type Argon2Work = {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
  readonly bytes: number;
};

/** Makes a key from a password, slowly on purpose. */
export type DeriveKey = (work: Argon2Work) => Promise<Uint8Array>;

export type Passwords = {
  /**
   * What is stored of a new password: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Rejects with InvalidValue `password_short`,
   * `password_long`, `password_malformed` or `password_common`, and with SERVICE_UNAVAILABLE while too many wait.
   */
  readonly hash: (password: string, of: { readonly email: string }) => Promise<string>;
  /** Whether it is the password behind a hash. Null takes as long as any other and is never right. */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
};

const FEWEST_CHARACTERS = 8;
const MOST_CHARACTERS = 128;
const NEW = { memoryKib: 19_456, passes: 2, lanes: 1, bytes: 32 } as const;
const SALT_BYTES = 16;
const NOBODYS = { ...NEW, salt: new Uint8Array(SALT_BYTES) };
/** Hashing can be abused to take this machine's time: few at once, and no endless queue. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 64;
const RETRY_S = 5;

/** argon2id of Node's own crypto, in its thread pool: 40 to 60 ms each. */
export const deriveArgon2id: DeriveKey = ({ password, salt, memoryKib, passes, lanes, bytes }) =>
  new Promise((resolve, reject) => {
    const parameters = {
      message: password,
      nonce: salt,
      parallelism: lanes,
      tagLength: bytes,
      memory: memoryKib,
      passes,
    };
    argon2("argon2id", parameters, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

/** Hashes and verifies passwords, two at once. `derive` is handed in so that a test can count. */
export function createPasswords({
  random,
  derive = deriveArgon2id,
}: {
  readonly random: Pick<Random, "bytes">;
  readonly derive?: DeriveKey;
}): Passwords {
  const queued = createQueue();
  const derived = (work: Argon2Work) => queued(() => derive({ ...work, password: canonical(work.password) }));
  return {
    hash: async (password, { email }) => {
      assertPassword(password);
      if (await isCommonPassword(password, email)) throw commonPassword();
      const salt = random.bytes(SALT_BYTES);
      return textOf({ ...NEW, password, salt }, await derived({ ...NEW, password, salt }));
    },
    verify: async (password, stored) => {
      const known = stored === null ? null : read(stored);
      const key = await derived({ ...(known ?? NOBODYS), password });
      return known !== null && known.hash.length === key.length && timingSafeEqual(known.hash, key);
    },
  };
}

const commonPassword = (): InvalidValue =>
  new InvalidValue(
    "password_common",
    "This password is among the first that are tried for an account: choose another one",
  );

/** Refuses what has not the shape of a password: InvalidValue `password_short`, `password_long`, `password_malformed`. */
function assertPassword(password: string): void {
  if (!password.isWellFormed())
    throw new InvalidValue("password_malformed", "Half a character is not a character");
  // More UTF-16 units than this are too many characters whatever they are: no need to count.
  const characters =
    password.length > 4 * MOST_CHARACTERS ? password.length : [...canonical(password)].length;
  if (characters < FEWEST_CHARACTERS) {
    throw new InvalidValue("password_short", `A password has at least ${FEWEST_CHARACTERS} characters`);
  }
  if (characters > MOST_CHARACTERS) {
    throw new InvalidValue("password_long", `A password has at most ${MOST_CHARACTERS} characters`);
  }
}

/** Whether a text can be anybody's password: what cannot costs no hash. */
export function canBePassword(password: string): boolean {
  try {
    assertPassword(password);
    return true;
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

// Keyboards write one "é" as one character or as two (RFC 8265 4.2).
const canonical = (password: string): string => password.normalize("NFC");

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

const textOf = ({ memoryKib, passes, lanes, salt }: Argon2Work, key: Uint8Array): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${base64(salt)}$${base64(key)}`;

const STORED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;

function read(stored: string): Omit<Argon2Work, "password"> & { readonly hash: Uint8Array } {
  const [, memoryKib, passes, lanes, salt = "", key = ""] = STORED.exec(stored) ?? [];
  if (memoryKib === undefined) throw new Error("A password hash in the database is not one of argon2id");
  const hash = Buffer.from(key, "base64");
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    lanes: Number(lanes),
    bytes: hash.length,
    salt: Buffer.from(salt, "base64"),
    hash,
  };
}

function createQueue() {
  const waiting: (() => void)[] = [];
  let running = 0;
  const end = () => {
    const next = waiting.shift();
    // The place is handed over directly: no other call gets it.
    if (next === undefined) running--;
    else next();
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < MAX_AT_ONCE) running++;
    else if (waiting.length < MAX_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw tooMany();
    try {
      return await work();
    } finally {
      end();
    }
  };
}

const tooMany = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: "Too many people sign in at once; try again in a moment",
    retryAfterS: RETRY_S,
  });
