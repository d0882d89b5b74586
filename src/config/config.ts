import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { hideInTexts } from "../base/clean-text.ts";
import { type Environment, type EnvironmentOptions, type LogLevel, readEnvironment } from "./environment.ts";
import type { ConfigFile } from "./file-schema.ts";
import { parseConfigText, readConfigText } from "./read-file.ts";
import { maskSecrets, maskUrl, publisherSecrets } from "./secrets.ts";

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
  const { configFile, postgresUrl, stripeSecretKey, publisherKeys, ...environment } = readEnvironment(
    env,
    cwd,
  );
  const path = configFile ?? resolve(cwd, "repute.yaml");
  const text = readConfigText(path, { isOptional: configFile === null });
  const read = withStripeKey(parseConfigText(text ?? "", path), stripeSecretKey);
  const file = withPublisherKeys(read, publisherKeys);
  hideInTexts([...new Set(publisherSecrets(file))]);
  return {
    ...environment,
    configFile: text === null ? null : path,
    databaseUrl: postgresUrl ?? join(environment.dataDir, "repute.db"),
    file,
  };
}

const withStripeKey = (file: ConfigFile, key: EnvironmentOptions["stripeSecretKey"]): ConfigFile =>
  key === null ? file : { ...file, billing: { ...file.billing, stripe_secret_key: key } };

const withPublisherKeys = (file: ConfigFile, keys: EnvironmentOptions["publisherKeys"]): ConfigFile => ({
  ...file,
  engines: { ...file.engines, keys: { ...file.engines.keys, ...keys } },
});

/** Where a running service writes down the address that it listens on. */
export const addressFileOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "address");

/**
 * The configuration in force as YAML: the variables under `environment`, then the sections as a file has them.
 * Passwords, keys and feed headers are `***`. Owners' switches of engines, which go before the file, stand below as comments.
 */
export function printableConfig(config: Config, switches: ReadonlyMap<string, boolean> = new Map()): string {
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
  const switched = switches.size === 0 ? "" : switchesText(switches);
  return stringify({ environment }, { lineWidth: 0 }) + stringify(sections, { lineWidth: 0 }) + switched;
}

/** Comments: a file cannot set what an owner sets on the Feeds page. */
const switchesText = (switches: ReadonlyMap<string, boolean>): string =>
  [
    "# Engines that owners switched on the Feeds page; this goes before engines.enable, disable and accept:",
    ...[...switches].map(([key, isOn]) => `#   ${key}: ${isOn ? "on" : "off"}`),
    "",
  ].join("\n");
