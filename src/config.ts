import { join, resolve } from "node:path";
import { stringify } from "yaml";
import {
  type Environment,
  type EnvironmentOptions,
  type LogLevel,
  readEnvironment,
} from "./config/environment.ts";
import type { ConfigFile } from "./config/file-schema.ts";
import { parseConfigText, readConfigText } from "./config/read-file.ts";
import { maskSecrets, maskUrl } from "./config/secrets.ts";

/** Everything that an operator can set, checked, all defaults filled. */
export type Config = {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute; null when no file is in use. */
  readonly configFile: string | null;
  /** Path of a SQLite file, or `postgres://…`. */
  readonly databaseUrl: string;
  /** `redis://…`; null: limits live in the process. */
  readonly valkeyUrl: string | null;
  readonly logLevel: LogLevel;
  /** Whether the first start creates an account and prints its key. */
  readonly bootstrap: boolean;
  /** The file's sections; keys as the file has them. */
  readonly file: ConfigFile;
};

/**
 * The configuration from the environment and the file that it names, `repute.yaml` in `cwd` otherwise (may be absent).
 * Throws ConfigError: one line with the variable or the key's path, what was expected and what was found.
 */
export function loadConfig({ env, cwd }: { env: Environment; cwd: string }): Config {
  const { configFile, postgresUrl, stripeSecretKey, ...environment } = readEnvironment(env, cwd);
  const path = configFile ?? resolve(cwd, "repute.yaml");
  const text = readConfigText(path, { isOptional: configFile === null });
  return {
    ...environment,
    configFile: text === null ? null : path,
    databaseUrl: postgresUrl ?? join(environment.dataDir, "repute.db"),
    file: withStripeKey(parseConfigText(text ?? "", path), stripeSecretKey),
  };
}

const withStripeKey = (file: ConfigFile, key: EnvironmentOptions["stripeSecretKey"]): ConfigFile =>
  key === null ? file : { ...file, billing: { ...file.billing, stripe_secret_key: key } };

/** Where a running service writes down the address that it listens on. */
export const addressFileOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "address");

/**
 * The configuration in force as YAML: the variables under `environment`, then the sections as a file has them.
 * Passwords, keys and feed headers are `***`.
 */
export function printableConfig(config: Config): string {
  const environment = {
    HOST: config.host,
    PORT: config.port,
    REPUTE_DATA_DIR: config.dataDir,
    REPUTE_CONFIG: config.configFile,
    DATABASE_URL: maskUrl(config.databaseUrl),
    VALKEY_URL: config.valkeyUrl === null ? null : maskUrl(config.valkeyUrl),
    LOG_LEVEL: config.logLevel,
    REPUTE_BOOTSTRAP: config.bootstrap ? "on" : "off",
  };
  const sections = maskSecrets(config.file);
  return stringify({ environment }, { lineWidth: 0 }) + stringify(sections, { lineWidth: 0 });
}
