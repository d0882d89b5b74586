/** The environment or the configuration file is not as it must be; the message is one line for the operator. */
export class ConfigError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ConfigError";
  }
}
