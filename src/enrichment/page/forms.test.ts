import { describe, expect, test } from "vitest";
import { readFacts } from "./facts.ts";
import { htmlFormsOf } from "./forms.ts";

const formsOf = (html: string, url = "https://www.shop.example/login") =>
  htmlFormsOf(readFacts(html), new URL(url));

describe("a form asks for", () => {
  test.each([
    ["password_field_present", '<input type="password">', '<input type="text" name="password_hint">'],
    [
      "password_field_present",
      '<input autocomplete="current-password">',
      '<input type="hidden" autocomplete="current-password">',
    ],
    ["credit_card_field_present", '<input name="cc_number">', '<input name="occ-number">'],
    [
      "credit_card_field_present",
      '<input placeholder="Card number">',
      '<input placeholder="Library card number">',
    ],
    ["credit_card_field_present", '<input id="card-cvv">', '<input id="cvvalue">'],
    ["email_field_present", '<input type="email">', '<input name="female">'],
    ["phone_field_present", '<input name="telephone">', '<input name="smartphone_model">'],
    ["otp_field_present", '<input autocomplete="one-time-code">', '<input name="postal-code">'],
    ["otp_field_present", '<input placeholder="SMS code">', '<input placeholder="Discount code">'],
    ["file_field_present", '<input type="file">', '<input name="file">'],
    [
      "two_text_inputs_in_a_form",
      "<form><input><input type=password></form>",
      "<form><input></form><form><input></form>",
    ],
    [
      "external_action",
      '<form action="https://other.example/">',
      '<form action="https://pay.shop.example/">',
    ],
    [
      "external_action",
      '<form action="/x"><button formaction="https://other.example/">',
      '<form action="/x"><button type=reset formaction="https://other.example/">',
    ],
    [
      "external_action",
      '<form><input type=image formaction="https://other.example/">',
      '<form><input type=text formaction="https://other.example/">',
    ],
    ["insecure_action", '<form action="http://www.shop.example/">', '<form action="/x">'],
  ] as const)("%s of %s, not of %s", (field, hit, miss) => {
    expect(formsOf(hit)[field]).toBe(true);
    expect(formsOf(miss)[field]).toBe(false);
  });
});

test("forms and fields are counted, buttons and hidden fields are none", () => {
  expect(
    formsOf(
      "<form></form><form><input><input type=hidden><input type=submit><textarea></textarea></form><input type=search>",
    ),
  ).toMatchObject({ number_of_total_forms: 2, number_of_total_input_fields: 3 });
});

test("actions are absolute, each once, none that is not of the web, and follow the page's base", () => {
  expect(
    formsOf(
      '<base href="https://cdn.other.example/"><form action="a"></form><form action=a></form><form action="javascript:x()"></form><form></form>',
    ),
  ).toMatchObject({
    actions: ["https://cdn.other.example/a"],
    external_action: true,
    number_of_total_forms: 4,
  });
});
