import { expect, test } from "vitest";
import { withoutResponse } from "../../../test/url-checks/lab.ts";
import { suspiciousPatternOf } from "./url-pattern.ts";

test.each([
  ["http://paypal.com.login.example/", /paypal/],
  ["http://www-paypal-com.login.example/", /paypal/],
  ["http://paypal.login.example/", /paypal/],
  ["http://secure-wellsfargo.login.example/", /wellsfargo/],
  ["http://apple-id-verify.login.example/", /apple/],
  ["http://booking.login.example/x/verify", /booking/],
  ["http://203.0.113.7/netflix/account/", /netflix/],
  ["http://www.shop.example/tmp/dhl.com/verify.php", /dhl/],
  ["http://www.shop.example/~a/wellsfargo/login.php", /wellsfargo/],
  ["http://signin.paypal.top/paypal.com/login", /paypal/],
  ["http://signin.paypal.de/wellsfargo/login.php", /wellsfargo/],
  ["http://www.microsoft.com.edgekey.net.example/", /microsoft/],
  ["http://www.shop.example/go//evil.example", /second address/],
  ["http://www.shop.example/r/https%3A%2F%2Fevil.example", /second address/],
])("%s is suspicious", (url, sentence) => {
  expect(suspiciousPatternOf(withoutResponse({ url }))).toMatch(sentence);
});

test.each([
  ["http://www.paypal.com/signin", "the brand itself"],
  ["http://developer.apple.com/account/", "the brand itself"],
  ["http://outlook.corp.example/", "a company's mail server"],
  ["http://booking.hotel.example/", "a word"],
  ["http://google.shop.example/", "what a site connects to"],
  ["http://www.shop.example/auth/facebook/login", "another's account"],
  ["http://www.shop.example/login/google", "another's account"],
  ["http://www.shop.example/blog/paypal-login-problems-and-what-to-do", "an article"],
  ["http://www.shop.example/?next=https%3A%2F%2Fwww.shop.example%2F%2F", "an address in the query"],
  ["http://203.0.113.7/blog/netflix", "an address that asks for nothing"],
  ["http://en.wikipedia.org/wiki//paypal.com/login", "what everybody visits"],
  ["http://localhost/", "a name of one label"],
  ["http://login.microsoftonline-p.com/microsoft.com/login", "a domain of the brand's table"],
  ["http://signin.paypal.de/paypal.com/login", "the brand's name under another suffix"],
  ["http://microsoft.signin.microsoft.fr/", "the same below it"],
  ["http://www.microsoft.com.edgekey.net/", "a brand's name at its delivery network"],
])("%s is not suspicious: %s", (url) => {
  expect(suspiciousPatternOf(withoutResponse({ url }))).toBeNull();
});
