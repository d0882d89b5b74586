import { expect, test } from "vitest";
import { readFacts } from "./facts.ts";
import { htmlFormsOf } from "./forms.ts";
import { isEmptyPage } from "./page.ts";

const URL_OF_PAGE = new URL("https://www.shop.example/a/b.html");
const FORM =
  "<title>Frame</title><base href=//other.example><p>Sign in<form action=https://far.example/><input type=password></form>";
const escaped = (html: string): string => html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const framed = (html: string): string => `<iframe srcdoc="${escaped(html)}"></iframe>`;

test.each([
  ["a frame", framed(FORM)],
  ["a frame in a frame", framed(framed(FORM))],
  ["a frame behind an open form", `<form action=/here>${framed(FORM)}`],
  ["a frame with a long text before its form", framed(`<!--${"x".repeat(30_000)}-->${FORM}`)],
  ["a frame behind a script that never ends", `${framed(FORM)}<script>`],
])("the page that %s holds counts as the page's", (_, html) => {
  const page = readFacts(html);
  const forms = htmlFormsOf(page, URL_OF_PAGE);
  expect(forms).toMatchObject({ password_field_present: true, external_action: true });
  expect(page.text).toContain("Sign in");
  expect(isEmptyPage(page)).toBe(false);
});

test("what a frame says of itself does not steer the page that shows it", () => {
  const html = `<html lang=en><meta name=a content=b>${framed(`<html lang=fr><meta http-equiv=refresh content="0;url=/x"><meta name=robots content=noindex><link rel=canonical href=/c><link rel=icon href=/i>${FORM}`)}`;
  const page = readFacts(html);
  expect(page).toMatchObject({
    title: "",
    lang: "en",
    refresh: null,
    baseHref: null,
    canonicalUrl: null,
    faviconUrl: null,
  });
  expect([...page.metas.keys()]).toEqual(["a"]);
});

test("frames in frames and many frames end", () => {
  let html = FORM;
  for (let i = 0; i < 6; i++) html = framed(html) + framed(html);
  expect(readFacts(html).iframesCount).toBe(126);
  for (let i = 0; i < 12; i++) html = framed(html);
  expect(readFacts(html).iframesCount).toBeLessThan(140);
  expect(readFacts(framed("<p>x").repeat(1000)).iframesCount).toBe(1000);
});
