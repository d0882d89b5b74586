import { describe, expect, test } from "vitest";
import { evidenceOfPage } from "../../../test/url-checks/lab.ts";
import { imitatedBrandOf } from "./phishing.ts";

const FORM = '<form><input name="user"><input type="password"></form>';
const brandOf = (url: string, head: string, body = FORM): string | null =>
  imitatedBrandOf(evidenceOfPage(url, `<!doctype html><head>${head}</head><body>${body}`))?.domain ?? null;

const HOST = "https://www.shop.example/";

describe("a page that asks for a secret imitates a brand", () => {
  test.each([
    ["whose name is all that its title says", HOST, "<title>PayPal: Login</title>", FORM, "paypal.com"],
    ["also in another language", HOST, "<title>Bei PayPal einloggen</title>", FORM, "paypal.com"],
    [
      "with a letter of another script",
      HOST,
      "<title>P\u0430yP\u0430l: L\u043egin</title>",
      FORM,
      "paypal.com",
    ],
    ["with an invisible sign inside", HOST, "<title>Pay\u200bPal Log\u00adin</title>", FORM, "paypal.com"],
    ["in wide letters", HOST, "<title>\uff30\uff41\uff59\uff50\uff41\uff4c</title>", FORM, "paypal.com"],
    ["with a digit for a letter", HOST, "<title>Netf1ix</title>", FORM, "netflix.com"],
    [
      "also for a card alone",
      HOST,
      "<title>Netflix</title>",
      '<input autocomplete="cc-number">',
      "netflix.com",
    ],
    ["of several words", HOST, "<title>Wells Fargo Sign On</title>", FORM, "wellsfargo.com"],
    [
      "under the brand's label with a cheap suffix",
      "https://paypal.top/",
      "<title>PayPal</title>",
      FORM,
      "paypal.com",
    ],
    [
      "under the brand's label with a suffix that is sold as a word",
      "https://paypal.cc/",
      "<title>PayPal</title>",
      FORM,
      "paypal.com",
    ],
    [
      "below a domain where the brand's customers publish",
      "https://acme.microsoftcrmportals.com/",
      "<title>Microsoft: sign in</title>",
      FORM,
      "microsoft.com",
    ],
    [
      "with the brand's own favicon",
      HOST,
      '<title>Sign in</title><link rel="shortcut icon" href="https://www.chase.com/favicon.ico">',
      FORM,
      "chase.com",
    ],
    [
      "with the brand's own picture and its name among other words",
      HOST,
      "<title>Coinbase - Buy and sell more</title>",
      `<img class="logo" src="https://www.coinbase.com/logo.svg">${FORM}`,
      "coinbase.com",
    ],
    [
      "with the brand's logo and no other",
      HOST,
      "<title>Login</title>",
      `<img alt="HSBC logo" src="/a.svg">${FORM}`,
      "hsbc.com",
    ],
  ])("%s", (_, url, head, body, brand) => {
    expect(brandOf(url, head, body)).toBe(brand);
  });
});

describe("a page imitates no brand", () => {
  test.each([
    ["that asks for nothing secret", HOST, "<title>PayPal</title>", "<form><input name=q></form>"],
    [
      "of the brand's own domain",
      "https://www.paypal.com/signin",
      "<title>Log in to your PayPal account</title>",
      FORM,
    ],
    ["of the brand's other domain", "https://login.microsoftonline.com/", "<title>Microsoft</title>", FORM],
    ["of the brand's country", "https://www.vodafone.pt/", "<title>Vodafone</title>", FORM],
    ["of the brand's name in an old domain", "https://www.paypal.net/", "<title>PayPal</title>", FORM],
    ["of the brand's table", "https://login.microsoftonline-p.com/", "<title>Microsoft</title>", FORM],
    ["that is visited by everybody", "https://www.wikipedia.org/", "<title>PayPal</title>", FORM],
    [
      "that writes about a brand beside a login",
      HOST,
      "<title>How to pay with PayPal - Anna's kitchen</title>",
      FORM,
    ],
    ["that sells a brand's programs", HOST, "<title>Microsoft Dynamics training - Log in</title>", FORM],
    [
      "that lets people in by another's account",
      HOST,
      "<title>Login</title>",
      `<img alt="Google logo" src="/g.svg">Sign in with Google ${FORM}`,
    ],
    [
      "that shows payment logos",
      HOST,
      "<title>Checkout</title>",
      `<img alt="paypal-logo"><input autocomplete="cc-number">`,
    ],
    [
      "of a company's mail server",
      "https://mail.corp.example/owa/auth/logon.aspx",
      "<title>Outlook</title>",
      FORM,
    ],
    [
      "of a company's code host",
      "https://github.corp.example/login",
      "<title>Sign in to your account · GitHub</title>",
      FORM,
    ],
    ["whose name is a brand's word", HOST, "<title>Booking login</title>", FORM],
    [
      "whose icons have names of brands",
      HOST,
      "<title>Login</title>",
      `<svg><title>Facebook</title></svg>${FORM}`,
    ],
    [
      "with a favicon that a brand hands out",
      HOST,
      '<title>Login</title><link rel="icon" href="https://www.google.com/s2/favicons?domain=shop.example">',
      FORM,
    ],
    [
      "that keeps its pictures in a brand's cloud",
      HOST,
      '<title>Login</title><link rel="icon" href="https://s3.amazonaws.com/shop/favicon.ico">',
      FORM,
    ],
  ])("%s", (_, url, head, body) => {
    expect(brandOf(url, head, body)).toBeNull();
  });
});

describe("a page of a domain that the brand itself registered", () => {
  const registry = { registrar: "MarkMonitor Inc.", registrant: "Microsoft Corporation", nameServers: [] };
  const html = `<!doctype html><title>Microsoft: sign in</title>${FORM}`;
  const related = (url: string, isHosting: boolean) => {
    const evidence = evidenceOfPage(url, html, { registry });
    return imitatedBrandOf({ ...evidence, site: { ...evidence.site, is_free_hosting: isHosting } });
  };

  test("is no imitation, except where its customers publish", () => {
    expect(brandOf("https://login.msft-portal.example.com/", "<title>Microsoft: sign in</title>")).toBe(
      "microsoft.com",
    );
    expect(related("https://login.microsoft-portal.com/", false)).toBeNull();
    expect(related("https://login.microsoft-portal.com/", true)?.domain).toBe("microsoft.com");
  });
});
