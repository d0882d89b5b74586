import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../base/clock.ts";
import { createPageAnalysis } from "./analyse.ts";
import { readResponse } from "./read-response.ts";

const open = (clock: Clock = systemClock) => {
  const analysis = createPageAnalysis({ clock, maxMs: 600_000 });
  onTestFinished(() => analysis.close());
  const time = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };
  const read = (html: string, signal = time.signal) => analysis.read(responseOf(html), { ...time, signal });
  return { analysis, read };
};

const responseOf = (html: string) => ({
  body: Buffer.from(html),
  contentType: "text/html",
  url: "http://www.example.com/a.html",
});

/** More than is read in place. */
const large = (title: string) => `<title>${title}</title>${"<p>words ".repeat(10_000)}`;

test("reads a large page in a worker as it would in place, and leaves the body to its owner", async () => {
  const { analysis } = open();
  const response = responseOf(large("A"));
  const time = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };
  const answer = await analysis.read(response, time);
  expect(answer).toEqual({ state: "answered", value: readResponse(responseOf(large("A"))) });
  expect(response.body.length).toBe(large("A").length);
});

test("answers many at once, each with its own", async () => {
  const { read } = open();
  const titles = Array.from({ length: 7 }, (_, i) => `page ${i}`);
  const answers = await Promise.all(titles.map((title) => read(large(title))));
  expect(answers.map((one) => (one.state === "answered" ? one.value.htmlInfo?.title : one))).toEqual(titles);
});

test("ends what takes too long, says so, and reads the next", async () => {
  let isOver = true;
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => (isOver ? Promise.resolve() : systemClock.sleep(ms, signal)),
  };
  const { read } = open(clock);
  const late = {
    state: "unavailable",
    upstream: "page analysis",
    reason: "timeout",
    detail: expect.any(String),
  };
  expect(await Promise.all([read(large("A")), read(large("B")), read(large("C"))])).toEqual([
    late,
    late,
    late,
  ]);
  isOver = false;
  expect(await read(large("D"))).toMatchObject({ state: "answered", value: { htmlInfo: { title: "D" } } });
});

test("leaves a page whose asker has left", async () => {
  const { read } = open();
  expect(await read(large("A"), AbortSignal.abort())).toMatchObject({ reason: "timeout" });
});

test("lets go of everything when it is closed", async () => {
  const { analysis, read } = open();
  const answers = [read(large("A")), read(large("B")), read(large("C"))];
  await analysis.close();
  for (const answer of await Promise.all(answers)) expect(answer.state).toMatch(/^(answered|unavailable)$/);
});

test.each([
  ["200,000 tags inside one another", `${"<div>".repeat(200_000)}x`],
  ["tags that are never closed", "<a href=".repeat(100_000)],
  ["100,000 attributes", `<input ${"a=b ".repeat(100_000)}>`],
  ["an attribute of 3 MB", `<input name="${"x".repeat(3_000_000)}">`],
  ["a tag of 3 MB", `<${"x".repeat(3_000_000)}>`],
  ["comments that are never closed", "<!--".repeat(200_000)],
  ["quotes that are never closed", `<a href='"`.repeat(100_000)],
  ["200,000 entities", "&amp;".repeat(200_000)],
  ["200,000 numeric entities", "&#x10FFFF;".repeat(200_000)],
  ["20,000 forms with fields", "<form><input type=password>".repeat(20_000)],
  ["100,000 frames", "<iframe src=//a.example>".repeat(100_000)],
  ["a page of zeros", "\0".repeat(1_000_000)],
])("reads %s, in bounded lists", async (_name, html) => {
  const { read } = open();
  const answer = await read(html);
  if (answer.state !== "answered") throw new Error(answer.detail);
  const { forms, resources } = answer.value;
  expect(
    Math.max(forms.actions.length, resources.domains.length, resources.iframes.length),
  ).toBeLessThanOrEqual(100);
  expect(JSON.stringify(answer.value.htmlInfo).length).toBeLessThan(20_000);
});

test.each([
  ["text/html", "Hello", true],
  ["text/html; charset=utf-8", "<p>x", true],
  ["", "<!doctype html><p>x", true],
  ["application/octet-stream", "<html><p>x", true],
  ["text/plain", "<html><p>x", false],
  ["text/html", "MZ\x90\0", false],
  ["application/pdf", "%PDF-1.7", false],
  ["", "words", false],
])("of %j with the octets %j it says whether it is a page: %s", (contentType, body, isPage) => {
  const read = readResponse({ body: Buffer.from(body, "latin1"), contentType, url: "http://a.example/" });
  expect(read.page !== null).toBe(isPage);
});

test.each([
  ["<title>shop.example is for sale</title><p>Buy this domain", true],
  ["<p>This domain may be for sale.", true],
  ["<script src=https://img.sedoparking.com/x.js></script>", true],
  ["<p>This domain is parked free", true],
  ["<p>Houses for sale in this domain of ours", false],
  ["<p>Bread for sale", false],
  ["<img src=https://hugedomains.com/logo.png><p>News of names", false],
  [`<p>this domain is for sale</p>${"<p>words of an article ".repeat(1000)}`, false],
])("tells a sale page: %j", (html, isForSale) => {
  expect(readResponse(responseOf(html)).isForSale).toBe(isForSale);
});
