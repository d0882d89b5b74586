/** What an error says; of anything else that was thrown, its text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The word that the system or a library has for an error: `ECONNREFUSED`, `HPE_INVALID_CONSTANT`; else `UNKNOWN`. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";

/** Null where the file or folder is not there. Throws every other error. */
export function nullIfAbsent(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}
