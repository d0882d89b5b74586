import { describe, expect, test } from "vitest";
import { pageResponse } from "./fetch-response.ts";

const body = { body: Buffer.from("x"), truncated: false };
const of = (headers: readonly (readonly [string, readonly string[]])[], statusText = "OK") =>
  pageResponse({ status: 200, statusText, httpVersion: "1.1", headers: new Map(headers) }, body);

describe("pageResponse()", () => {
  test("joins repeated headers, and cuts them at 1 KiB", () => {
    const { headers } = of([
      ["x", ["a", "b"]],
      ["long", ["y".repeat(5000)]],
    ]);
    expect(headers.get("x")).toBe("a, b");
    expect(headers.get("long")).toHaveLength(1024);
  });

  test("masks cookies' values and keeps their names and attributes", () => {
    const { headers } = of([["set-cookie", ["sid=secret; Path=/; HttpOnly", "b=", "odd", "c=a=b"]]]);
    expect(headers.get("set-cookie")).toBe("sid=***; Path=/; HttpOnly, b=***, odd, c=***");
  });

  test("shows UTF-8 as such, other octets as Latin-1, and no control characters", () => {
    const { headers, statusLine } = of(
      [
        ["utf8", ["\xc3\xa9"]],
        ["latin1", ["\xe9"]],
        ["c1", ["a\x9bb\x7fc\td"]],
      ],
      "\x1b[31mOK",
    );
    expect([headers.get("utf8"), headers.get("latin1"), headers.get("c1")]).toEqual(["é", "é", "abc\td"]);
    expect(statusLine).toBe("HTTP/1.1 200 [31mOK");
  });

  test("reads type and announced length, and says when there is none", () => {
    const announced = of([
      ["content-type", ["text/html; charset=utf-8"]],
      ["content-length", ["12"]],
    ]);
    expect([announced.contentType, announced.contentLengthBytes]).toEqual(["text/html; charset=utf-8", 12]);
    expect([of([]).contentType, of([]).contentLengthBytes]).toEqual(["", null]);
    expect(of([], "").statusLine).toBe("HTTP/1.1 200");
  });

  test.each([
    [["text/plain", "text/html"], "text/html", "the last of several"],
    [["text/plain, text/html"], "text/html", "on one line too"],
    [["text/html", "text/plain"], "text/plain", "whichever it is"],
    [["text/html", "none"], "text/html", "none that is no type"],
    [["text/html", "*/*"], "text/html", "none that means all"],
    [["text/html; charset=utf-16le", "TEXT/HTML"], "text/html; charset=utf-16le", "with its encoding"],
    [["text/html; charset=utf-8", "text/html;charset=koi8-r"], "text/html;charset=koi8-r", "or a later one"],
    [["text/html; charset=utf-8", "text/plain"], "text/plain", "not with another type's"],
    [["none"], "none", "what is said where nothing is a type"],
  ])("takes of the types %j %s: %s", (types, expected) => {
    expect(of([["content-type", types]]).contentType).toBe(expected);
  });
});
