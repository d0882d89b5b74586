import { expect, test } from "vitest";
import { saidBeside } from "./said-beside.ts";
import { FETCH_WORDS, NO_CERTIFICATE } from "./words.ts";

const WORDS = [...Object.values(FETCH_WORDS), ...Object.values(NO_CERTIFICATE)];

test.each(WORDS)("%s: the same words are not said a second time, however they are written", (words) => {
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  expect([words, sentence, `${sentence}.`, ` ${words} `].map((detail) => saidBeside(words, detail))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(saidBeside(words, `${sentence} at 12:00.`)).toBe(`${sentence} at 12:00`);
});

test("no detail adds nothing", () => {
  expect([null, undefined, "", " "].map((detail) => saidBeside("no connection", detail))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
