/** The word that the system or a library has for an error: `ECONNREFUSED`, `HPE_INVALID_CONSTANT`; else `UNKNOWN`. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
