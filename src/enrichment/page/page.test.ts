import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFacts } from "./facts.ts";
import { htmlInfoOf } from "./html-info.ts";
import { isEmptyPage } from "./page.ts";
import { resourcesOf } from "./resources.ts";

const URL_OF_PAGE = new URL("https://www.shop.example/a/b.html");

describe("readFacts()", () => {
  test.each([
    ["<title> A \n page </title>", "A page", "blanks folded"],
    ["<TITLE>a &amp; b &#x110000; &lt;script&gt;</TITLE>", "a & b \ufffd <script>", "as decoded"],
    ["<title>first</title><title>second</title>", "first", "the first one"],
    ["<svg><title>icon</title></svg><title>page</title>", "page", "no drawing's"],
    ["<svg/><title>page</title>", "page", "after an empty drawing"],
    ["<svg><p><title>page</title>", "page", "after an unclosed drawing"],
    ["<title>a\u0007\u001b[2Jb</title>", "a [2Jb", "no control characters"],
    ["<p>no title", "", "empty without one"],
    ["<title>open", "open", "of a title that never ends"],
  ])("%j has the title %j: %s", (html, title) => {
    expect(readFacts(html).title).toBe(title);
  });

  test.each([
    ["<p>caf&eacute; &amp;&nbsp;bar</p>", "café & bar"],
    [
      "a<script>b</script><style>c</style><noscript>d</noscript><template>e</template><svg><text>f</text></svg>g",
      "a g",
    ],
    ["a<!-- b --><![CDATA[c]]>d", "ad"],
    ["<svg><circle/></svg><svg/>shown", "shown"],
    ["<iframe>for old browsers</iframe>shown", "shown"],
    ["<textarea><b>x</textarea>", "<b>x"],
    ["a\u0000\tb", "a b"],
  ])("%j shows %j", (html, text) => {
    const page = readFacts(html);
    expect(page.text).toBe(text);
    expect(page.textBytes).toBeGreaterThan(0);
  });

  test("keeps what a head says, the first of doubles", () => {
    const page = readFacts(
      '<html lang="de"><base href="/x/"><meta name="Robots" content="noindex"><meta name=robots content=all>' +
        '<meta property="og:title" content="T"><meta http-equiv="REFRESH" content="0;url=/n">' +
        '<link rel="shortcut icon" href="/f.ico"><link rel=canonical href="/c"><a href=" /l ">',
    );
    expect(page).toMatchObject({
      lang: "de",
      baseHref: "/x/",
      refresh: "0;url=/n",
      faviconUrl: "/f.ico",
      canonicalUrl: "/c",
      links: ["/l"],
    });
    expect([...page.metas]).toEqual([
      ["robots", "noindex"],
      ["og:title", "T"],
    ]);
  });

  test("gives fields to the form that they stand in, and the others behind them", () => {
    const { forms, formsCount, inputsCount } = readFacts(
      '<input name="Out_Side"><form action="/a"><input type=HIDDEN name=h><input TYPE=" Password "><select id=s></select></form>' +
        "<form></form><input type=submit>",
    );
    expect(forms).toEqual([
      {
        action: "/a",
        buttonActions: [],
        inputs: [
          { type: "password", hints: "" },
          { type: "select", hints: "s" },
        ],
      },
      { action: null, buttonActions: [], inputs: [] },
      { action: null, buttonActions: [], inputs: [{ type: "text", hints: "out-side" }] },
    ]);
    expect({ formsCount, inputsCount }).toEqual({ formsCount: 2, inputsCount: 3 });
  });

  test.each([
    ['<form id=f action="/a"></form><input form=f name=u>', ["/a: u"], "a field behind names its form"],
    ['<input form=f name=u><form id=f action="/a"></form>', ["/a: u"], "before the form comes"],
    [
      '<form id=f action="/a"></form><form id=f action="/b"></form><input form=f name=u>',
      ["/a: u", "/b: "],
      "the first of an id",
    ],
    ['<form action="/a"><input form=g name=u></form>', ["/a: ", "null: u"], "a form that there is not"],
    [
      '<form action="/a"><form action="/b"><input name=u></form><input name=v>',
      ["/a: u", "null: v"],
      "no form in a form",
    ],
    [
      '<form action="/a"><template><form action="/b"><input name=u></template><input name=v>',
      ["/a: v", "/b: u"],
      "a template apart",
    ],
    [
      '<template><form action="/b"></template><form action="/a"><input name=u>',
      ["/b: ", "/a: u"],
      "a template that leaves its form open",
    ],
    ['<form action="/a"><svg></form><p><input name=u>', ["/a: u"], "a drawing that ends no form"],
  ])("of %j knows whose the fields are: %s, %s", (html, forms) => {
    const shown = readFacts(html).forms.map(
      ({ action, inputs }) => `${action}: ${inputs.map(({ hints }) => hints).join()}`,
    );
    expect(shown).toEqual(forms);
  });

  test.each([
    ["<noscript><!--</noscript>", "a comment that begins in noscript"],
    ['<noscript><a title="</noscript>', "a quote that begins in noscript"],
    ["<NOSCRIPT><style></NoScript >", "a style that begins in noscript"],
    ["<noscript><title></noscript><noscript><math></noscript>", "a title and a formula of noscript"],
    ["<![CDATA[>", "CDATA outside drawings"],
    ["<svg><script/></svg>", "a script of a drawing that holds nothing"],
    ["<svg><title/></svg>", "a title of a drawing that holds nothing"],
    ["<math><noscript></math>", "a noscript of a formula"],
    ["<math><script/></math>", "a script of a formula that holds nothing"],
  ])("does not take what comes behind %j for %s", (before) => {
    const page = readFacts(`${before}<form action="/a"><input name=u></form><p>shown`);
    expect(page.forms).toMatchObject([{ action: "/a", inputs: [{ hints: "u" }] }]);
    expect(page.text).toBe("shown");
  });

  test.each([
    ["<noscript><form action=/b><p>hidden", "an open noscript"],
    ["<script>'<noscript>'</script><noscript>", "one in a script"],
  ])("hides all behind %j: %s", (before) => {
    expect(readFacts(`${before}<p>more`).text).toBe("");
  });

  test.each(["noscript", "template"])("is not steered by what stands in <%s>", (name) => {
    const hidden =
      '<meta name=robots content=noindex><base href="/b"><meta http-equiv=refresh content="0;url=/n">';
    const page = readFacts(`<${name}>${hidden}</${name}><base href="/a">`);
    expect(page).toMatchObject({ baseHref: "/a", refresh: null });
    expect([...page.metas]).toEqual([]);
  });

  test("takes a drawing's base for no base, and a refresh in one for the page's own, as browsers do", () => {
    expect(readFacts('<svg><base href="/b"></svg><base href="/a">').baseHref).toBe("/a");
    expect(readFacts('<svg><meta http-equiv=refresh content="0;url=/n">').refresh).toBe("0;url=/n");
  });

  test("keeps scripts apart, also those inside drawings", () => {
    const page = readFacts(
      '<script src="/a.js"></script><script>one()</script><svg><script>two()</script></svg>',
    );
    expect(page).toMatchObject({ scriptText: "one()two()", scriptsCount: 3, resourcesCount: 1, text: "" });
  });

  test("keeps images that look like logos", () => {
    expect(readFacts('<img src="/x.png"><img src="/y.png" alt="Our LOGO">').logos).toEqual([
      { url: "/y.png", words: "our logo /y.png  " },
    ]);
  });

  test("reads any text, never throws, and keeps its bounds", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "<",
        "</",
        ">",
        '"',
        "<svg>",
        "<title>",
        "<form>",
        "<input",
        " type=",
        "&#",
        "<!--",
        "<![CDATA[",
        "<script>",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const page = readFacts(pieces.join(""));
        expect(page.title).not.toMatch(/\p{Cc}/u);
        expect(page.text).not.toMatch(/\p{Cc}/u);
        expect(page.linksCount).toBeGreaterThanOrEqual(page.links.length);
        expect(isEmptyPage(page) && page.text !== "").toBe(false);
      }),
    );
  });
});

/** Shapes of security 3, "hostile HTML", that cost the square of their length to a parser that builds a tree or a text of them. */
describe("a hostile page is read to its end", () => {
  const MEGABYTES = 3_000_000;
  test.each([
    ["deep", "<div>".repeat(200_000)],
    ["deep in drawings", "<svg>".repeat(200_000)],
    ["closed without being open", "</div>".repeat(200_000)],
    ["one tag", `<a ${"b".repeat(MEGABYTES)}>`],
    ["one attribute", `<a href="${"b".repeat(MEGABYTES)}">`],
    ["an attribute of references", `<a href="${"&amp;".repeat(500_000)}">`],
    ["100,000 attributes", `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>`],
    ["a text of references", "&lt;".repeat(500_000)],
    ["unclosed comments", "<!--".repeat(500_000)],
    ["unclosed tags", "<a href=x ".repeat(300_000)],
    ["unclosed scripts", "<script>".repeat(300_000)],
    ["half closed scripts", `<script>${"</script ".repeat(300_000)}`],
    ["one title", `<title>${"&amp; ".repeat(500_000)}`],
    ["blanks", `<p>${" ".repeat(MEGABYTES)}`],
    ["forms", "<form><input>".repeat(200_000)],
  ])("%s", (_, html) => {
    const page = readFacts(`${html}</script></title>--></a>`);
    expect(page.forms.length).toBeLessThanOrEqual(201);
    expect(page.title.length).toBeLessThanOrEqual(1024);
    expect(page.text.length).toBeLessThanOrEqual(65_536);
    expect(page.links.every(({ length }) => length <= 4096)).toBe(true);
  });

  test("counts go on where the lists end", () => {
    const page = readFacts('<a href="/x">t</a><img src="/y"><form><input></form>'.repeat(3000));
    expect(page).toMatchObject({
      linksCount: 3000,
      resourcesCount: 3000,
      formsCount: 3000,
      inputsCount: 3000,
      textBytes: 3000,
    });
    expect([page.links.length, page.resources.length, page.forms.length]).toEqual([2000, 2000, 202]);
  });
});

describe("isEmptyPage()", () => {
  test.each([
    ["", true],
    ["<html><head><title>Title</title></head><body> &nbsp; </body></html>", true],
    ["<p>.", false],
    ['<script src="/app.js"></script>', false],
    ["<script>draw()</script>", false],
    ["<input>", false],
    ['<frameset><frame src="/a">', false],
  ])("%j: %s", (html, expected) => {
    expect(isEmptyPage(readFacts(html))).toBe(expected);
  });
});

describe("htmlInfoOf()", () => {
  const info = (html: string) => htmlInfoOf(readFacts(html), URL_OF_PAGE, "utf-8");

  test("resolves addresses by the page's base, and tells apart by the page's own host", () => {
    expect(
      info(
        '<base href="https://cdn.other.example/x/"><link rel=icon href=f.ico><a href=in>1</a><a href="//pay.shop.example/">2</a><a href="mailto:a@b.example">3</a>',
      ),
    ).toMatchObject({
      favicon_url: "https://cdn.other.example/x/f.ico",
      links_count: 3,
      external_links_count: 1,
      canonical_url: null,
    });
  });

  test("cuts texts, and leaves no half characters", () => {
    const { title, description, lang } = info(
      `<html lang=${"x".repeat(100)}><title>${"a".repeat(299)}😀</title><meta name=description content="${"d".repeat(2000)}">`,
    );
    expect([title.length, description.length, lang.length]).toEqual([300, 1000, 64]);
    expect(title.isWellFormed()).toBe(true);
  });
});

describe("resourcesOf()", () => {
  test("counts what comes from elsewhere by registered domain, most used first", () => {
    const page = readFacts(
      '<script src="https://a.cdn.example/1.js"></script><script src="/own.js"></script><img src="http://b.cdn.example/2.png">' +
        '<iframe src="https://frame.example/"></iframe><link rel=stylesheet href="https://static.shop.example/s.css"><img src="data:,x">',
    );
    expect(resourcesOf(page, URL_OF_PAGE)).toEqual({
      count: 6,
      external_count: 3,
      domains: [
        { domain: "cdn.example", count: 2 },
        { domain: "frame.example", count: 1 },
      ],
      scripts_external: ["https://a.cdn.example/1.js"],
      iframes: ["https://frame.example/"],
      mixed_content_count: 1,
    });
  });

  test("shows a hundred at most", () => {
    const html = Array.from({ length: 300 }, (_, i) => `<script src="https://d${i}.example/"></script>`).join(
      "",
    );
    const { count, domains, scripts_external } = resourcesOf(readFacts(html), URL_OF_PAGE);
    expect([count, domains.length, scripts_external.length]).toEqual([300, 100, 100]);
  });
});
