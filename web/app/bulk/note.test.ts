import { expect, test } from "vitest";
import { readableNote } from "./note.ts";

test.each([
  ["upstream_error: RDAP: The connection was refused", "RDAP: The connection was refused"],
  ["timeout: no engine answered in time", "No engine answered in time"],
  ["internal_error: the lookup failed", "The lookup failed"],
  ["This is not an address", "This is not an address"],
  ["upstream_errors: of a list", "upstream_errors: of a list"],
])("%s", (note, read) => {
  expect(readableNote(note)).toBe(read);
});
