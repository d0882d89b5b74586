import { isTextField, isWalletField } from "../page/forms.ts";
import type { Page } from "../page/page.ts";
import { isKnownSite } from "./brand-names.ts";
import type { UrlEvidence } from "./evidence.ts";

/** The sentence that says what a page does to its visitors, or null. Source: design 7.4 `is_suspicious_content`. */
export function lureOf(evidence: UrlEvidence): string | null {
  const { page } = evidence;
  if (page === null) return null;
  if (isPasteLure(page)) return "Puts a command on the clipboard and tells the visitor to run it";
  if (isFakeCaptcha(page)) return "Shows a false captcha";
  if (isObfuscated(page)) return "Hides what its script does";
  return isWalletDrainer(evidence) ? "Asks for the words of a crypto wallet" : null;
}

const CLIPBOARD = /clipboard\.writeText|execCommand\(\s{0,8}["']copy["']/;
const COMMAND =
  /\b(?:powershell|pwsh|mshta|rundll32|regsvr32|msiexec|certutil|bitsadmin|cmd(?:\.exe)? \/c|osascript)\b/i;
const CURL = /\bcurl /i;
const INTO_SHELL = /\| ?(?:ba|z)?sh\b/i;
const RUN_DIALOG =
  /\bwin(?:dows)?(?: key| button)?(?: logo key)? ?(?:\+|and) ?"?r\b|\brun dialog\b|\bopen (?:the )?terminal\b/i;
const PASTE = /\bctrl ?\+ ?v\b|\b(?:cmd|⌘) ?\+ ?v\b|\bpaste\b/i;

const holdsCommand = (script: string): boolean =>
  COMMAND.test(script) || (CURL.test(script) && INTO_SHELL.test(script));

/** Instructions may be written by the script itself. */
const saysRunAndPaste = ({ text, scriptText }: Page): boolean =>
  [text, scriptText].some((where) => RUN_DIALOG.test(where) && PASTE.test(where));

/** "ClickFix": a guide with a copy button shows its command in the text, and a visitor chooses to copy it. */
const isPasteLure = (page: Page): boolean =>
  CLIPBOARD.test(page.scriptText) && holdsCommand(page.scriptText) && saysRunAndPaste(page);

const HUMAN =
  /\b(?:verify (?:that )?you are (?:a )?human|(?:i'?m|i am|you are|you're) not a robot|human verification)\b/i;
const ALLOW = /\b(?:click|press|tap) (?:on )?(?:the )?["“'«]?allow\b/i;
/** Services whose widgets truly ask. */
const CAPTCHAS =
  /recaptcha|hcaptcha|challenges\.cloudflare\.com|arkoselabs|geetest|captcha-delivery|friendlycaptcha|mtcaptcha/i;

/** No captcha needs the keyboard's run dialog or the right to send notifications. */
const isFakeCaptcha = (page: Page): boolean =>
  HUMAN.test(page.text) &&
  (saysRunAndPaste(page) || ALLOW.test(page.text)) &&
  !page.resources.some(({ kind, url }) => kind === "script" && CAPTCHAS.test(url.slice(0, 300)));

const RUNS_TEXT = /\beval\s{0,8}\(|document\.write(?:ln)?\s{0,8}\(|\bFunction\s{0,8}\(/;
/** Long enough to be a page, not the few characters that keep `</script>` out of a script. */
const HIDDEN_TEXT =
  /(?:unescape|decodeURIComponent)\s{0,8}\(\s{0,8}["'](?:%u?[0-9a-f]{2,4}){100}|atob\s{0,8}\(\s{0,8}["'][A-Za-z0-9+/]{400}|fromCharCode\s{0,8}\((?:\s{0,4}\d{1,5}\s{0,4},){60}/i;
/** Names that javascript-obfuscator gives. */
const HEX_NAMES = /\b_0x[0-9a-f]{4,6}\b/g;
const MANY_HEX_NAMES = 50;
const FEW_TEXT_BYTES = 300;

/** Packed scripts alone are common in advertising: the page must have nothing else to show, or ask for a secret. */
function isObfuscated({ scriptText, textBytes, forms }: Page): boolean {
  if (RUNS_TEXT.test(scriptText) && HIDDEN_TEXT.test(scriptText)) return true;
  const asksForSecret = forms.some(({ inputs }) => inputs.some(({ type }) => type === "password"));
  if (textBytes > FEW_TEXT_BYTES && !asksForSecret) return false;
  return (scriptText.match(HEX_NAMES)?.length ?? 0) >= MANY_HEX_NAMES;
}

const WALLET = /\b(?:wallet|metamask|trust ?wallet|ledger|phantom|coinbase|walletconnect)\b/i;
const DRAINER = /\b(?:inferno|angel|pink|venom|monkey|chick|ace)[ _-]?drainer\b/i;

/** Only the wallet's own program asks for a wallet's words. */
function isWalletDrainer(evidence: UrlEvidence): boolean {
  const { page, finalUrl } = evidence;
  if (page === null || isKnownSite(finalUrl.hostname, evidence)) return false;
  if (DRAINER.test(page.scriptText)) return true;
  const fields = page.forms.flatMap(({ inputs }) => inputs).filter(isTextField);
  const isAbout = WALLET.test(page.title) || WALLET.test(page.text);
  return isAbout && fields.some(isWalletField);
}
