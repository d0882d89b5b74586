/** Texts that are hard to read, each as long as its reader lets it be. */
export type Texts = Readonly<Record<string, string>>;

const fill = (piece: string, length: number, before = "", after = ""): string => {
  const room = Math.max(0, length - before.length - after.length);
  return before + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + after;
};

/** Repeats of what expressions and parsers tell apart. */
const PIECES = [
  "a",
  " ",
  "\t",
  ".",
  "-",
  "@",
  "=",
  ";",
  ",",
  "(",
  "[",
  "<",
  "&",
  "%",
  "\\",
  '"',
  "a.",
  ". ",
  "a@",
  "\u200d",
  "\u202e",
  "é",
  "中",
  "\u0301",
];

export const pagesOf = (bytes: number): Texts => ({
  words: fill("a ", bytes),
  blanks: fill(" ", bytes, "<p>", "x"),
  nested: fill("<div>", bytes),
  "never closed": fill("<b><i><svg><template>", bytes),
  "one tag": fill("a", bytes, "<a href='"),
  attributes: `<p ${Array.from({ length: 200_000 }, (_, i) => `a${i}=1`).join(" ")}>`.slice(0, bytes),
  "lesser signs": fill("<", bytes),
  "ends of tags": fill("</", bytes),
  comments: fill("<!--", bytes),
  entities: fill("&amp;&#x110000;&", bytes),
  title: fill("\u202e", bytes / 3, "<title>"),
  scripts: fill("eval( curl | sh ctrl +", bytes, "<script>"),
  "many scripts": fill("<script>fromCharCode(1,</script>", bytes),
  forms: fill("<form action=/x><input name=card-number type=text>", bytes),
  links: fill("<a href='//x.example/?a=b'>b</a>", bytes),
  metas: fill("<meta name=a content='5; url=x'>", bytes),
  rtl: fill("\u202e\u200b", bytes / 3),
});

export const whoisAnswersOf = (bytes: number): Texts => ({
  ...Object.fromEntries(
    PIECES.map((piece) => [
      `repeats of ${JSON.stringify(piece)}`,
      fill(piece, bytes / Buffer.byteLength(piece)),
    ]),
  ),
  statuses: fill("Domain Status: ok - ok https://icann.org/epp#ok (ok)\n", bytes),
  "lines of repeats": PIECES.map((piece) => `${fill(piece, 290, "Registrar: ")}\n`)
    .join("")
    .repeat(200)
    .slice(0, bytes / 3),
  addresses: fill("Registrant Email: a@b.example.com\n", bytes),
  "name servers": fill("Name Server: ns1.example.com 192.0.2.1\n", bytes),
  dates: fill("Creation Date: 1999-12-31 23:59:59 (GMT+0:00)\n", bytes),
  limits: fill("limit rate quota number of a queries\n", bytes),
  headings: fill("Registrant:\n  Name: x\n\n", bytes),
  comments: fill("% \n", bytes),
});

export const rdapAnswersOf = (bytes: number): Texts => {
  const head = '{"objectClassName":"domain","ldhName":"bench.rdap",';
  const entity =
    '{"objectClassName":"entity","roles":["registrant","abuse"],"vcardArray":["vcard",[["fn",{},"text","a a a"],["email",{},"text","a@b.example"],["adr",{"label":"a\\na"},"text",["","","","","","",""]]]],"entities":[]},';
  const list = (member: string, item: string): string =>
    `${head}"${member}":[${item.repeat(Math.floor((bytes - 200) / item.length)).slice(0, -1)}]}`;
  return {
    entities: list("entities", entity),
    "name servers": list("nameservers", '{"ldhName":"ns1.example.com"},'),
    events: list("events", '{"eventAction":"registration","eventDate":"9999-99-99"},'),
    remarks: `${head}"remarks":[{"description":["${fill(" a\\u202e", bytes - 200)}"]}]}`,
    status: list("status", '"a",'),
    depth: fill("[", bytes),
    members: `{${Array.from({ length: Math.floor(bytes / 14) }, (_, i) => `"k${i}":${i}`).join(",")}}`,
    "no JSON": `${fill('{"a":1},', bytes, "[")}x`,
  };
};

/** Bodies of requests: JSON and nearly JSON. */
export const bodiesOf = (bytes: number): Texts => ({
  "nearly JSON": fill(`${'{"a":'.repeat(30)}1${"}".repeat(30)},`, bytes, "[", "x"),
  "many members": `{${Array.from({ length: Math.floor(bytes / 14) }, (_, i) => `"k${i}":${i}`).join(",")}}`,
  "many members and no end": `{${Array.from({ length: Math.floor(bytes / 14) }, (_, i) => `"k${i}":${i}`).join(",")}`,
  "a long string": `{"ip":"${fill("a", bytes - 20)}"}`,
  escapes: `{"ip":"${fill("\\u0061", bytes - 20 - ((bytes - 20) % 6))}"}`,
  quotes: fill('"', bytes - 1),
  brackets: fill("[", bytes),
  "empty lists": fill("[],", bytes, "["),
  digits: fill("9", bytes, '{"ip":'),
  numbers: fill("1,", bytes, "["),
  blanks: fill(" ", bytes),
  surrogates: `{"ip":"${fill("\\ud800", bytes - 20 - ((bytes - 20) % 6))}"}`,
});

const values = (length: number, before = "", after = ""): readonly string[] =>
  PIECES.map((piece) => fill(piece, length, before, after));

export const urls = (): readonly string[] => [
  ...values(4096, "http://bench.example.com/"),
  ...values(4096, "http://bench.example.com/?"),
  ...values(4096, "http://"),
  ...values(4096, "http://a:", "@bench.example.com/"),
  ...values(4096, "http://bench.example.com/#"),
];

export const emails = (): readonly string[] => [
  ...values(64, "", "@example.com"),
  ...values(320, "a@"),
  ...values(320),
  ...values(320, '"', '"@example.com'),
];

export const names = (): readonly string[] => [
  ...values(1024),
  ...values(253, "", ".com"),
  ...values(63, "xn--", ".com"),
  ...values(1024, "xn--", ".com"),
  fill("xn--a.", 1024),
  fill("a\u0323\u0307", 1024),
];

/** Values of headers, in octets: 16 headers fill the 64 KiB that a response may have. */
export const headerValues = (): Texts => ({
  ...Object.fromEntries(
    PIECES.map((piece) => [
      `repeats of ${JSON.stringify(piece)}`,
      Buffer.from(fill(piece, 3900)).toString("latin1").slice(0, 3900),
    ]),
  ),
  "cookies of tabs": fill("\t", 3900, "c=1; x", "y"),
  "cookies of semicolons": fill(";", 3900, "c=1"),
  refresh: fill(" ;,", 3900, "1"),
  charset: fill("charset ", 3900, "text/html; "),
});

export const txtRecords = (bytes: number): Texts => ({
  ...Object.fromEntries(
    PIECES.map((piece) => [
      `repeats of ${JSON.stringify(piece)}`,
      fill(piece, bytes / Buffer.byteLength(piece)),
    ]),
  ),
  "octets that are no text": fill("\u00ff", bytes),
});

/** What may follow the beginning of a policy record. */
export const policyTails = (bytes: number): Texts => ({
  ...Object.fromEntries(
    PIECES.map((piece) => [
      `repeats of ${JSON.stringify(piece)}`,
      fill(piece, bytes / Buffer.byteLength(piece)),
    ]),
  ),
  "rua without an end": fill(".M", bytes, "p=none; rua=mailto:a@", "@"),
  "rua of dots": fill(".", bytes, "p=none; rua=mailto:a@", "@"),
  "many rua": fill("mailto:a@b.example,", bytes, "p=none; rua="),
  mechanisms: fill("a:%{i}.example ", bytes),
  modifiers: fill("a=b ", bytes),
});
