import { baseOf, registeredOf, shownUrl, webUrl } from "./links.ts";
import type { Page, PageForm, PageInput } from "./page.ts";
import type { HtmlForms } from "./shapes.ts";

/** A page without forms, and everything that is no page. */
export const NO_FORMS: HtmlForms = {
  number_of_total_forms: 0,
  number_of_total_input_fields: 0,
  two_text_inputs_in_a_form: false,
  credit_card_field_present: false,
  password_field_present: false,
  email_field_present: false,
  phone_field_present: false,
  otp_field_present: false,
  file_field_present: false,
  external_action: false,
  insecure_action: false,
  actions: [],
};

/** Names of fields as the HTML standard's autocomplete tokens and common shops have them. */
const CARD =
  /\bcc-?(?:number|num|no|csc|cvv|cvc|exp)|\bcard-?\s?(?:number|num|no)\b|\bcredit-?\s?card\b|\bcvv2?\b|\bcvc2?\b/;
/** Cards that hold no money of a bank. */
const OTHER_CARD = /\b(?:gift|library|loyalty|member(?:ship)?|id)[- ]?card/;
const OTP =
  /\bone-time-code\b|\botp\b|\b2fa\b|\btotp\b|\b(?:verification|sms|auth(?:entication)?)[- ]?code\b/;
const PHONE = /\btel\b|\b(?:tele)?phone|\bmobile\b/;
const SEED_FIELD =
  /\b(?:seed|recovery|secret|mnemonic|backup|pass)[- ]?(?:phrase|words?)\b|\bmnemonic\b|\b(?:12|24)[- ]words?\b/;
const PRIVATE_KEY_FIELD = /\bprivate[- ]?key\b/;
const SEARCH = /\b(?:search|query|q)\b/;
const EMAIL = /\be-?mail/;
const TEXTUAL = new Set(["text", "email", "tel", "search", "url", "number", "password", "textarea"]);
const MAX_ACTIONS = 20;

export const isPasswordField = ({ type, hints }: PageInput): boolean =>
  type === "password" || /\b(?:current|new)-password\b/.test(hints);

const isCardField = ({ hints }: PageInput): boolean => CARD.test(hints) && !OTHER_CARD.test(hints);

const isOtpField = ({ hints }: PageInput): boolean => OTP.test(hints);

/** Whether a field takes words to search for. */
export const isSearchField = ({ type, hints }: PageInput): boolean => type === "search" || SEARCH.test(hints);

/** Whether a field takes typed text. */
export const isTextField = ({ type }: PageInput): boolean => TEXTUAL.has(type);

/** Whether a field takes what opens a crypto wallet. */
export const isWalletField = ({ hints }: PageInput): boolean =>
  SEED_FIELD.test(hints) || PRIVATE_KEY_FIELD.test(hints);

/** What checks tell fields apart by: two of one nature say the same of a page. */
export const natureOf = (input: PageInput): string =>
  [input.type, ...NATURES.map((test) => test(input))].join();

const NATURES: readonly ((input: PageInput) => boolean)[] = [
  isPasswordField,
  isCardField,
  isOtpField,
  isSearchField,
  isWalletField,
  ({ hints }) => PHONE.test(hints),
  ({ hints }) => EMAIL.test(hints),
];

/** Where a form and its buttons send what it asks, by its page's base, as far as that is of the web. */
export const actionsOf = ({ action, buttonActions }: PageForm, base: URL): readonly URL[] =>
  [action, ...buttonActions].flatMap((href) => webUrl(href, base) ?? []);

/** What the forms of the page at `url` ask for, and where they send it. */
export function htmlFormsOf(page: Page, url: URL): HtmlForms {
  const inputs = page.forms.flatMap((form) => form.inputs);
  const base = baseOf(page, url);
  const actions = page.forms.flatMap((form) => actionsOf(form, base));
  const own = registeredOf(url.hostname);
  return {
    number_of_total_forms: page.formsCount,
    number_of_total_input_fields: page.inputsCount,
    two_text_inputs_in_a_form: page.forms.some((form) => form.inputs.filter(isTextField).length === 2),
    credit_card_field_present: inputs.some(isCardField),
    password_field_present: inputs.some(isPasswordField),
    email_field_present: inputs.some(({ type, hints }) => type === "email" || EMAIL.test(hints)),
    phone_field_present: inputs.some(({ type, hints }) => type === "tel" || PHONE.test(hints)),
    otp_field_present: inputs.some(isOtpField),
    file_field_present: inputs.some(({ type }) => type === "file"),
    external_action: actions.some(({ hostname }) => registeredOf(hostname) !== own),
    insecure_action: url.protocol === "https:" && actions.some(({ protocol }) => protocol === "http:"),
    actions: [...new Set(actions.map(shownUrl))].slice(0, MAX_ACTIONS),
  };
}
