import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePage } from "./charset.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test.each([
  [
    "a byte order mark before the server's word",
    latin1("\xef\xbb\xbf\xc3\xa9"),
    "text/html; charset=iso-8859-1",
    "é",
    "utf-8",
  ],
  ["a byte order mark of UTF-16", latin1("\xff\xfea\0"), "", "a", "utf-16le"],
  [
    "the server's word before the page's",
    latin1('<meta charset="utf-8">\xe9'),
    'text/html; charset="ISO-8859-1"',
    '<meta charset="utf-8">é',
    "windows-1252",
  ],
  [
    "the page's word",
    latin1('<meta charset="windows-1251">\xe9'),
    "text/html",
    '<meta charset="windows-1251">й',
    "windows-1251",
  ],
  [
    "the page's old word",
    latin1('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xc1'),
    "",
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">а',
    "koi8-r",
  ],
  [
    "UTF-8 where a page that can be read says UTF-16",
    latin1("<meta charset=utf-16le>\xc3\xa9"),
    "",
    "<meta charset=utf-16le>é",
    "utf-8",
  ],
  ["UTF-8 without a word", latin1("\xc3\xa9\xff"), "", "é\ufffd", "utf-8"],
  ["UTF-8 where the word is none", latin1("\xc3\xa9"), "text/html; charset=martian", "é", "utf-8"],
  [
    "the page's word where the server's is none",
    latin1("<meta charset=koi8-r>\xc1"),
    "text/html; charset=none",
    "<meta charset=koi8-r>а",
    "koi8-r",
  ],
  [
    "the language of the West where nothing is said",
    latin1("Soci\xe9t\xe9 \x80"),
    "text/html",
    "Société €",
    "windows-1252",
  ],
  [
    "UTF-8 where one character is cut off",
    latin1("caf\xc3\xa9 \xe2\x82"),
    "text/html",
    "café \ufffd",
    "utf-8",
  ],
  [
    "the XML declaration",
    latin1('<?xml version="1.0" encoding="windows-1251"?><html><title>\xc2\xf5\xee\xe4</title></html>'),
    "application/xhtml+xml",
    '<?xml version="1.0" encoding="windows-1251"?><html><title>Вход</title></html>',
    "windows-1251",
  ],
  [
    "the XML declaration in capitals",
    latin1('<?xml version="1.0" encoding="WINDOWS-1251"?>\xc2\xf5\xee\xe4'),
    "application/xhtml+xml",
    '<?xml version="1.0" encoding="WINDOWS-1251"?>Вход',
    "windows-1251",
  ],
  ["UTF-8 that has U+FFFD itself", Buffer.from("caf\ufffd"), "text/html", "caf\ufffd", "utf-8"],
  [
    "the page's word before the XML declaration",
    latin1("<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1251>\xe9"),
    "text/html",
    "<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1251>й",
    "windows-1251",
  ],
])("%s decides", (_, body, contentType, text, charset) => {
  expect(decodePage(body, contentType)).toEqual({ text, charset });
});

test("any octets under any word become a text", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (octets, label) => {
      expect(decodePage(Buffer.from(octets), `text/html; charset=${label}`).text.isWellFormed()).toBe(true);
    }),
  );
});
