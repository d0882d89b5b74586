import { expect, test } from "vitest";
import { sourceOf } from "./feed.ts";

test.each([
  ["https://lists.example/x", "web"],
  ["http://127.0.0.1:8000/x", "web"],
  ["http://[::1]/x", "web"],
  ["http://localhost:8000/x", "web"],
  ["http://lists.localhost/x", "web"],
  ["file:///srv/list.txt", "file"],
  ["http://lists.example/x", null],
  ["http://10.0.0.7/x", null],
  ["http://169.254.169.254/x", null],
  ["http://localhost.example/x", null],
  ["file:list.txt", null],
  ["file://host/list.txt", null],
  ["ftp://127.0.0.1/x", null],
  ["lists.example", null],
  ["file:///etc/a%00.txt", null],
])("sourceOf(%j) is %s: in clear from this machine alone", (text, kind) => {
  expect(sourceOf(text)?.kind ?? null).toBe(kind);
});
