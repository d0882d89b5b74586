import { describe, expect, test } from "vitest";
import { parseWhois } from "./parse-whois.ts";

const DOMAIN = "example.lab";

describe("parseWhois() of a web page", () => {
  const FREE = "No match for example.lab\n";
  const RECORD = "Created: 2003-01-15\nExpires: 2027-05-31\n";
  const stateOf = (text: string): string => parseWhois(text, DOMAIN).state;

  test.each(
    "a article b body button center code dd div dl dt em font footer form h1 h6 head header hr html i img input label li link main meta nav ol p pre script section small span strong style table tbody td th thead title tr tt u ul"
      .split(" ")
      .flatMap((name) => [`<${name}>`, `<${name.toUpperCase()} class="x">`, `</${name}>`, `<${name}/>`])
      .concat("<!doctype html>", "<!-- proxy -->", '<?xml version="1.0"?>', "HTTP/1.0 200 OK")
      .concat("Content-Type: text/html", "content-length: 9", "Server: x\nContent-Type: text/plain"),
  )("with %s finds no vacancy, and no record that does not name the domain", (mark) => {
    for (const before of ["", "\n".repeat(22), "Status: 404\n", "x\n"]) {
      const texts = [FREE, "Not Found\n", "Status: free\n", "Domain nicht gefunden\n", RECORD];
      expect(texts.map((text) => stateOf(`${before}${mark}\n${text}`))).toEqual(
        texts.map(() => "unreadable"),
      );
      expect(stateOf(`${before}${mark}\nDomain Name: example.lab\n${RECORD}`)).toBe("read");
    }
    expect(stateOf(`${FREE}${mark}\n`)).toBe("unreadable");
  });

  test.each([
    ["<div>404 Not Found</div>"],
    ["<p>No match for example.lab</p>"],
    ["<title>Not found</title>"],
    [
      "Content-Type: text/html\n\n<html><h1>Not Found</h1><p>The requested URL was not found on this server.</p>",
    ],
    ["Status: 404\n\n<h1>Not found</h1>"],
    ["HTTP 404\nNot Found"],
    ["404 - Not Found"],
    ["404\r\nNot Found"],
    ["Error 404\nNot Found"],
    ["Server: nginx\n\nNot Found"],
    ["<!-- proxy -->\n<html><h1>Not Found</h1>"],
    ["<b>Not Found</b>"],
    ["<pre>Not Found</pre><hr>nginx"],
    ["<ul><li>Free</li><li>Registered</li></ul>"],
    ["<html><body><p>Error</p><p>Created: 2026-11-29 by squid</p></body></html>"],
  ])("takes %j for none", (text) => {
    expect(parseWhois(`${text}\n`, DOMAIN)).toEqual({ state: "unreadable" });
  });
});
