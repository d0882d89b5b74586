/** One thing that is wrong in the configuration file. */
export type ConfigFault = {
  /** Of the file; null: of no one line. */
  readonly line: number | null;
  /** The key's path, what was expected and what was found. */
  readonly message: string;
};

/** The environment or the configuration file is not as it must be; the message is one line for the operator. */
export class ConfigError extends Error {
  /** All that is wrong in the file, where it could be read; empty for anything else. */
  readonly faults: readonly ConfigFault[];
  /** The file that they are in; null for anything else. */
  readonly file: string | null;

  constructor(
    message: string,
    options: { cause?: unknown; file?: string; faults?: readonly ConfigFault[] } = {},
  ) {
    super(message, options);
    this.name = "ConfigError";
    this.faults = options.faults ?? [];
    this.file = options.file ?? null;
  }
}
