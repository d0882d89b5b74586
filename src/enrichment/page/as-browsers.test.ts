import { describe, expect, test } from "vitest";
import { readFacts } from "./facts.ts";
import { readResponse } from "./read-response.ts";

// What Chromium shows of these octets was looked at: the page must be read as it is shown.

const FORM = "<form action=https://far.example/><input type=password></form>";
const XHTML =
  '<html xmlns="http://www.w3.org/1999/xhtml"><form action="https://far.example/"><input type="password"/></form></html>';
const PREFIXED = XHTML.replaceAll(/(<\/?)(html|form|input)/g, "$1h:$2").replace("xmlns=", "xmlns:h=");
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject>${XHTML}</foreignObject></svg>`;
const encoded = encodeURIComponent(FORM);
const base64 = Buffer.from(FORM).toString("base64");
const blanks = " ".repeat(5000);
const long = "a".repeat(5000);
const idle = (html: string) => html.repeat(300);

const read = (body: string, contentType = "text/html") =>
  readResponse({ body: Buffer.from(body, "latin1"), contentType, url: "https://shop.example/a" });

describe("a form for a password that goes elsewhere is seen", () => {
  test.each([
    ["behind the mark of a PDF", `%PDF-1.7\n${FORM}`, "text/html"],
    ["behind the mark of an archive", `PK\u0003\u0004${FORM}`, "text/html"],
    ["behind the mark of a Windows program", `MZ\u0000\u0000${FORM}`, "text/html; charset=utf-8"],
    ["behind the mark of a Linux program", `\u007fELF${FORM}`, "text/html"],
    ["in XML", XHTML, "text/xml"],
    ["in XML of any type", `<?xml version="1.0"?>${XHTML}`, "application/atom+xml"],
    ["in XML with prefixes", PREFIXED, "application/xhtml+xml"],
    ["in a drawing", DRAWING, "image/svg+xml"],
    ["without a type, behind a comment and text", `<!-- a -->Hello ${FORM}`, ""],
    ["without a type, behind an old tag", `<font>Hello</font>${FORM}`, ""],
    ["with a long address", FORM.replace("example/", `example/${long}`), "text/html"],
    [
      "with blanks before its address",
      FORM.replace("https", `"${blanks}https`).replace("/>", '/">'),
      "text/html",
    ],
    [
      "by a long base",
      `<base href=https://far.example/${long}/>${FORM.replace(/https.*?>/, "x>")}`,
      "text/html",
    ],
    [
      "behind many attributes",
      FORM.replace("<input", `<input ${[..."ab"].map((a) => idle(` ${a}`)).join("")}`),
      "text/html",
    ],
    [
      "by a button behind many",
      `<form><input type=password>${idle("<button formaction=/x>")}<button formaction=https://far.example/>`,
      "text/html",
    ],
    ["behind many forms", idle("<form><input></form>") + FORM, "text/html"],
    [
      "behind many forms to other pages",
      idle("<form action=/b><input type=text name=q></form>") + FORM,
      "text/html",
    ],
    [
      "behind many fields",
      `<form action=https://far.example/>${idle("<input>")}<input type=password>`,
      "text/html",
    ],
    [
      "by the form's id behind many",
      `${idle("<form></form>")}<input type=password form=f><form id=f action=https://far.example/></form>`,
      "text/html",
    ],
    ["in a frame by address", `<iframe src="data:text/html,${encoded}"></iframe>`, "text/html"],
    [
      "in a frame by coded address",
      `<frame src="data:text/html;charset=utf-8;base64,${base64}">`,
      "text/html",
    ],
    ["in an object", `<object data="data:text/html,${encoded}"></object>`, "text/html"],
    ["in an embedded page", `<embed src="DATA:text/html,${encoded}">`, "text/html"],
    [
      "in a frame behind many",
      `${idle("<iframe srcdoc=x></iframe>")}<iframe srcdoc="${FORM}"></iframe>`,
      "text/html",
    ],
    [
      "in a frame behind its long text",
      `<iframe srcdoc="${"<p>a".repeat(20_000)}${FORM}"></iframe>`,
      "text/html",
    ],
  ])("%s", (_, body, contentType) => {
    expect(read(body, contentType).forms).toMatchObject({
      password_field_present: true,
      external_action: true,
    });
  });
});

test("a form without TLS is seen behind many forms", () => {
  const { forms } = read(
    `${idle("<form action=https://shop.example/></form>")}<form action=http://shop.example/>`,
  );
  expect(forms.insecure_action).toBe(true);
});

test("the text of a shadow tree is shown, that of other templates is not", () => {
  const textOf = (tag: string) => readFacts(`<div><${tag}><p>Press Win + R</template></div>`).text;
  expect(textOf("template shadowrootmode=open")).toBe("Press Win + R");
  expect(textOf("template shadowrootmode=CLOSED")).toBe("Press Win + R");
  expect(textOf("template shadowrootmode")).toBe("");
  expect(textOf("template")).toBe("");
});

test.each([
  ["a program", `MZ\u0000\u0000${"\u0001\u0002<\u0000x>".repeat(50)}`, "text/html"],
  ["a feed", "<rss><item><title>form</title></item></rss>", "application/rss+xml"],
  ["a text with a form", FORM, "text/plain"],
])("%s is no page", (_, body, contentType) => {
  expect(read(body, contentType).page).toBeNull();
});

test("what had to be left out is said", () => {
  expect(read(idle("<form><input></form>")).page?.isCut).toBe(false);
  const kinds = Array.from({ length: 1000 }, (_, i) => `<form><input type=t${i}></form>`).join("");
  expect(read(kinds).page?.isCut).toBe(true);
  expect(
    read(`<iframe srcdoc="${"a".repeat(1_300_000)}"></iframe><iframe srcdoc="${"a".repeat(20_000)}">`).page
      ?.isCut,
  ).toBe(true);
});

const refresh = (content: string) => `<meta http-equiv=refresh content="${content}">`;

describe("the refresh that a browser obeys", () => {
  test.each([
    ["behind one that is none", refresh("soon") + refresh("0;url=/b")],
    ["behind an empty one", `<meta http-equiv=refresh>${refresh("0;url=/b")}`],
    ["behind a later one", refresh("300") + refresh("1;url=/b")],
    ["before a later one", refresh("1;url=/b") + refresh("3;url=/c")],
    ["the last of those at the same time", refresh("0;url=/c") + refresh("0;url=/b")],
    ["behind one that leads out of the web", refresh("0;url=javascript:x") + refresh("1;url=/b")],
    ["behind blanks", refresh(`${blanks}0;url=/b`)],
    ["with blanks inside", refresh(`0;${blanks}url=/b`)],
    ["in a file", `%PDF-${refresh("0;url=/b")}`],
    ["that a blank makes no other", `<meta http-equiv=" refresh" content="0;url=/c">${refresh("2;url=/b")}`],
  ])("%s", (_, html) => {
    expect(read(html).refresh?.target).toBe("https://shop.example/b");
  });

  test("is as long as an address may be", () => {
    expect(read(refresh(`0;url=/${long}`)).refresh?.target).toBe(`https://shop.example/${long}`);
  });
});

const HOLDERS = ["style", "script", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "plaintext"];
const ELSEWHERE = `${FORM}${refresh("0;url=/c")}`;

describe("in drawings", () => {
  test.each(
    HOLDERS.flatMap((tag) => [
      `<svg><${tag}></svg>${FORM}`,
      `<math><${tag}></math>${FORM}`,
      `<svg><foreignObject><div></div></foreignObject><${tag}></svg>${FORM}`,
    ]),
  )("no element hides what follows the drawing: %s", (html) => {
    expect(read(html).forms).toMatchObject({ password_field_present: true, external_action: true });
  });

  test.each(
    HOLDERS.flatMap((tag) => [
      `<svg><foreignObject><${tag}>${ELSEWHERE}</${tag}></foreignObject></svg>`,
      `<math><mi><${tag}>${ELSEWHERE}</${tag}></mi></math>`,
    ]),
  )("HTML inside is read as HTML: %s", (html) => {
    expect(read(html)).toMatchObject({
      forms: { number_of_total_input_fields: html.includes("textarea") ? 1 : 0 },
      refresh: null,
    });
  });

  test.each(["svg", "math"])("a section of CDATA in <%s> is text", (tag) => {
    expect(read(`<${tag}><![CDATA[</${tag}>${ELSEWHERE}]]></${tag}>`).refresh).toBeNull();
    expect(read(`<${tag}><![CDATA[>]]></${tag}>${ELSEWHERE}`).refresh?.target).toBe("https://shop.example/c");
    expect(read(`<${tag}></${tag}><![CDATA[>${ELSEWHERE}`).refresh?.target).toBe("https://shop.example/c");
  });

  test("scripts are read", () => {
    expect(readFacts("<svg><script>eval(1)</script></svg>").scriptText).toBe("eval(1)");
  });
});

describe("a script ends where it ends", () => {
  test.each([
    ["<script><!--<script></script>X--></script>", false],
    ["<script><!--<script >a</script>b</script>X", true],
    ["<script><!--<script>--></script>X", true],
    ["<script><!--><script></script>X", true],
    ["<script><!-- <scripts></script>X", true],
    ["<script></scripts X</script>", false],
    ["<SCRIPT><!-- <SCRIPT/></SCRIPT\t>X", false],
    ["<script><!--<script>X", false],
  ])("%s", (html, isSeen) => {
    expect(read(html.replace("X", ELSEWHERE)).refresh?.target ?? null).toBe(
      isSeen ? "https://shop.example/c" : null,
    );
  });
});

test.each([
  ["scripts in scripts", "<script><!--<script>"],
  ["styles in drawings", "<svg><style>"],
  ["sections", "<svg><![CDATA[>]]></svg>"],
  ["sections that never end", "<svg><![CDATA["],
  ["points", "<svg><foreignObject><div>"],
  ["scripts", "<script></script>"],
])("many %s are read in their time", (_, piece) => {
  const startedMs = performance.now();
  readFacts(piece.repeat(Math.floor(2_000_000 / piece.length)));
  expect(performance.now() - startedMs).toBeLessThan(5000);
});
