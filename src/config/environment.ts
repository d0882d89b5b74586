import { resolve } from "node:path";
import { billingSecretFault } from "../billing/options.ts";
import { postgresUrlFault } from "../db/postgres-url.ts";
import { publisherKeyFault } from "../feeds/retrieval/publisher-key.ts";
import { ConfigError } from "./config-error.ts";
import { schemeOf } from "./secrets.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Levels of the logger, most first. */
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every variable that is read, for the documentation. Source: operating.md. */
export const VARIABLES: readonly {
  readonly name: string;
  readonly normally: string;
  readonly meaning: string;
}[] = [
  { name: "HOST", normally: "`127.0.0.1`", meaning: "Address that the service listens on" },
  {
    name: "PORT",
    normally: "`8080`",
    meaning: "Port that the service listens on; 0 picks a free one and prints it",
  },
  {
    name: "REPUTE_DATA_DIR",
    normally: "`./data`",
    meaning: "Folder of the database, the lists and the compiled index",
  },
  { name: "REPUTE_CONFIG", normally: "`./repute.yaml` if present", meaning: "The configuration file" },
  {
    name: "DATABASE_URL",
    normally: "a SQLite file in the data folder",
    meaning: "`postgres://…`: the database is PostgreSQL",
  },
  {
    name: "VALKEY_URL",
    normally: "none: limits live in the process",
    meaning: "`redis://…` or `rediss://…`: limits shared by all processes",
  },
  {
    name: "LOG_LEVEL",
    normally: "`info`",
    meaning: `Least level of the log lines: ${LOG_LEVELS.join(", ")}`,
  },
  {
    name: "REPUTE_BOOTSTRAP",
    normally: "`on`",
    meaning: "`off`: the first start creates no account and prints no key",
  },
  {
    name: "REPUTE_KEY_<NAME>",
    normally: "none",
    meaning: "A publisher's key, e.g. `REPUTE_KEY_ABUSEIPDB`: goes before `engines.keys` of the file",
  },
  {
    name: "REPUTE_KEY",
    normally: "none",
    meaning: "The API key that `repute check --server` sends",
  },
  {
    name: "STRIPE_SECRET_KEY",
    normally: "none",
    meaning: "Goes before `billing.stripe_secret_key` of the file",
  },
  {
    name: "NO_COLOR",
    normally: "none",
    meaning: "Any text: no colours, also on a terminal",
  },
  {
    name: "TERM",
    normally: "none",
    meaning: "`dumb`: no colours and no line of progress, also on a terminal",
  },
  {
    name: "LC_ALL, LC_CTYPE, LANG",
    normally: "none",
    meaning: "The first of them that is set ends with `UTF-8`: a terminal shows lines in place of dashes",
  },
];

/** Under which keys of the file people look for a variable; it may stand in a section `server`. */
const SOUGHT: Readonly<Record<string, readonly string[]>> = {
  HOST: ["address", "bind", "listen"],
  PORT: ["listen_port"],
  REPUTE_DATA_DIR: ["data", "data_dir", "data_folder"],
  DATABASE_URL: ["database", "db", "postgres", "postgresql", "sqlite"],
  VALKEY_URL: ["redis", "redis_url", "valkey"],
  LOG_LEVEL: ["log", "logging"],
  REPUTE_BOOTSTRAP: ["bootstrap"],
};

/** The variable that says what an unknown key of the file wants to; null: none does. */
export function variableFor(path: readonly PropertyKey[]): string | null {
  const [section, ...rest] = path.map((step) => String(step).toLowerCase().replaceAll("-", "_"));
  const [word, ...deeper] = section === "server" && rest.length > 0 ? rest : [section, ...rest];
  if (word === undefined || deeper.length > 0) return null;
  const found = VARIABLES.find(({ name }) => name.toLowerCase() === word || SOUGHT[name]?.includes(word));
  return found?.name ?? null;
}

/** What the environment says, checked; the file adds the rest. */
export type EnvironmentOptions = {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute; null when the variable is not set and the default file may be absent. */
  readonly configFile: string | null;
  /** `postgres://…`, or null for the SQLite file. */
  readonly postgresUrl: string | null;
  readonly valkeyUrl: string | null;
  readonly logLevel: LogLevel;
  readonly bootstrap: boolean;
  readonly stripeSecretKey: string | null;
  /** Publishers' keys by their names in lower case. */
  readonly publisherKeys: Readonly<Record<string, string>>;
};

/** The environment of this process, as it was given. */
// biome-ignore lint/style/noProcessEnv: the only reader of the environment
export const processEnvironment = (): Environment => process.env;

/** The data folder, absolute, without looking at anything else. */
export const dataDirOf = (env: Environment, cwd: string): string =>
  resolve(cwd, textOf(env, "REPUTE_DATA_DIR") ?? "data");

/** Whether the terminal shows codes as text. Source: terminfo(5), `dumb`. */
export const isDumb = (env: Environment): boolean => textOf(env, "TERM") === "dumb";

/** Whether colours are unwanted. Source: no-color.org. */
export const isColourRefused = (env: Environment): boolean => textOf(env, "NO_COLOR") !== null || isDumb(env);

/** Whether texts are UTF-8, by the first of these variables that says something. Source: locale(7). */
export const hasUtf8 = (env: Environment): boolean =>
  /utf-?8$/i.test(textOf(env, "LC_ALL") ?? textOf(env, "LC_CTYPE") ?? textOf(env, "LANG") ?? "");

/** Reads and checks every variable. An empty one counts as absent. Throws ConfigError. */
export function readEnvironment(env: Environment, cwd: string): EnvironmentOptions {
  const configFile = textOf(env, "REPUTE_CONFIG");
  return {
    host: matching(env, "HOST", /^[\w.:%-]{1,255}$/, "an address or a host name") ?? "127.0.0.1",
    port: portOf(env),
    dataDir: dataDirOf(env, cwd),
    configFile: configFile === null ? null : resolve(cwd, configFile),
    postgresUrl: postgresUrlOf(env),
    valkeyUrl: valkeyUrlOf(env),
    logLevel: choiceOf(env, "LOG_LEVEL", LOG_LEVELS) ?? "info",
    bootstrap: choiceOf(env, "REPUTE_BOOTSTRAP", ["on", "off"]) !== "off",
    stripeSecretKey: stripeKeyOf(env),
    publisherKeys: publisherKeysOf(env),
  };
}

function textOf(env: Environment, name: string): string | null {
  const value = env[name];
  return value === undefined || value === "" ? null : value;
}

function matching(env: Environment, name: string, pattern: RegExp, expected: string): string | null {
  const value = textOf(env, name);
  if (value === null || pattern.test(value)) return value;
  throw faultOf(name, expected, JSON.stringify(value));
}

function stripeKeyOf(env: Environment): string | null {
  const value = textOf(env, "STRIPE_SECRET_KEY");
  const fault = value === null ? null : billingSecretFault(value);
  if (fault !== null) throw faultOf("STRIPE_SECRET_KEY", fault, "a value that is not shown");
  return value;
}

const KEY_VARIABLE = /^REPUTE_KEY_([A-Z0-9_]{1,64})$/;

// The value is a secret: only what was expected is told.
function publisherKeysOf(env: Environment): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const variable of Object.keys(env)) {
    const name = KEY_VARIABLE.exec(variable)?.[1];
    const value = textOf(env, variable);
    if (name === undefined || value === null) continue;
    const fault = publisherKeyFault(value);
    if (fault !== null) throw faultOf(variable, fault, "a value that is not shown");
    keys[name.toLowerCase()] = value;
  }
  return keys;
}

function portOf(env: Environment): number {
  const expected = "an integer from 0 to 65535";
  const port = Number(matching(env, "PORT", /^\d{1,5}$/, expected) ?? "8080");
  if (port > 65_535) throw faultOf("PORT", expected, `"${port}"`);
  return port;
}

function choiceOf<const T extends string>(env: Environment, name: string, choices: readonly T[]): T | null {
  const value = textOf(env, name);
  if (value === null) return null;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw faultOf(name, `one of ${choices.join(", ")}`, JSON.stringify(value));
}

// The value may hold a password: only its scheme is told.
function urlOf(env: Environment, name: string, schemes: readonly string[]): string | null {
  const value = textOf(env, name);
  if (value === null) return null;
  const scheme = schemeOf(value);
  if (scheme !== null && schemes.includes(scheme)) return value;
  const expected = schemes.map((one) => `${one}://…`).join(" or ");
  throw faultOf(
    name,
    expected,
    scheme === null ? "no URL" : `a URL of the scheme "${scheme}" that is not shown`,
  );
}

function postgresUrlOf(env: Environment): string | null {
  const value = urlOf(env, "DATABASE_URL", ["postgres", "postgresql"]);
  const fault = value === null ? null : postgresUrlFault(value);
  if (fault !== null) throw faultOf("DATABASE_URL", fault, "a URL that is not shown");
  return value;
}

/** A database is a number: the driver lets through what is none, and ends the process by the server's answer. */
function valkeyUrlOf(env: Environment): string | null {
  const value = urlOf(env, "VALKEY_URL", ["redis", "rediss"]);
  if (value === null) return null;
  if (!URL.canParse(value)) {
    const expected =
      "redis://USER:PASSWORD@HOST:PORT with %2F, %3F, %23, %40 and %25 for / ? # @ and % in the password";
    throw faultOf("VALKEY_URL", expected, "a URL that is not shown");
  }
  const { pathname, searchParams } = new URL(value);
  const databases = [pathname.replace(/^\//, ""), ...searchParams.getAll("db")];
  if (databases.every((one) => /^\d{0,5}$/.test(one))) return value;
  throw faultOf("VALKEY_URL", "a number for the database (redis://HOST:PORT/0)", "a URL that is not shown");
}

const faultOf = (name: string, expected: string, found: string): ConfigError =>
  new ConfigError(`Invalid environment: ${name}: expected ${expected}, found ${found}`);
