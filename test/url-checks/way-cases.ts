import { response } from "../servers/web-server.ts";
import { type Case, downgrade, leads, type Pair, page } from "./lab.ts";

const at = (url: string, more: Omit<Case, "url"> = {}): Case => ({ url, ...more });
const AGED = "http://www.shop.example/";
const named = (address: string): Case => at(AGED, { addresses: [address] });

/** Design 7.4, URL: one that sets the check, one near it. */
export const URL_CASES = {
  is_host_an_ipv4: { hit: at("http://203.0.113.7/"), miss: at("http://203-0-113-7.isp.example/") },
  is_host_an_ipv6: { hit: at("http://[2001:db8::7]/"), miss: at("http://203.0.113.7/") },
  is_uncommon_host_length: {
    hit: at(`http://${"a".repeat(33)}.example/`),
    miss: at(`http://${"a".repeat(32)}.example/${"a".repeat(60)}`),
  },
  is_uncommon_dash_char_count: {
    hit: at("http://a-b-c-d-e.example/"),
    miss: at("http://xn--b-c-d-tua.example/a-b-c-d-e"),
  },
  is_uncommon_dot_char_count: {
    hit: at("http://a.b.c.d.e.example/"),
    miss: at("http://a.b.c.d.example/e.f.g"),
  },
  is_suspicious_url_pattern: {
    hit: at("http://paypal.com.login.example/"),
    miss: at("http://www.shop.example/blog/how-to-login-to-paypal"),
  },
  is_suspicious_file_extension: {
    hit: at("http://www.shop.example/a/invoice.docm"),
    miss: at("http://www.shop.example/invoice.docm/about.html"),
  },
  is_most_abused_tld: { hit: at("http://www.shop.top/"), miss: at("http://www.top.com/") },
  is_uncommon_clickable_url: {
    hit: at("http://www.shop.example/update.hta"),
    miss: at("http://www.shop.example/app.js"),
  },
  is_non_standard_port: {
    hit: at("http://www.shop.example:8080/"),
    miss: at("https://www.shop.example:443/"),
  },
  is_email_address_on_url_query: {
    hit: at("http://www.shop.example/?u=jane%40corp.example"),
    miss: at("http://www.shop.example/@jane?at=2@3#jane@corp.example"),
  },
  has_userinfo: { hit: at("http://paypal.com@www.shop.example/"), miss: at("http://www.shop.example/a@b") },
  is_punycode_host: { hit: at("http://bücher.example/"), miss: at("http://axn--b.example/") },
  is_homoglyph_host: { hit: at("http://раураl.com/"), miss: at("http://bücher.com/") },
  is_url_too_long: {
    hit: at(`http://www.shop.example/${"a".repeat(477)}`),
    miss: at(`http://www.shop.example/${"a".repeat(476)}`),
  },
} satisfies Record<string, Pair>;

const status = (code: number): Case => page("Page", "words", { status: code });

/** Design 7.4, Reachability. */
export const REACHABILITY_CASES = {
  is_url_accessible: { hit: status(200), miss: status(404) },
  is_http_status_error: { hit: status(404), miss: status(204) },
  is_http_client_error: { hit: status(404), miss: status(500) },
  is_http_server_error: { hit: status(503), miss: status(404) },
  is_external_redirect: {
    hit: leads("http://www.shop.example/go", "http://www.other.example:PORT/"),
    miss: leads("http://www.shop.example/go", "http://pay.shop.example:PORT/"),
  },
  is_redirect_to_search_engine: {
    hit: leads("http://www.shop.example/go", "http://www.google.com:PORT/"),
    miss: leads("http://www.shop.example/go", "http://www.google.com:PORT/maps/place/x"),
  },
  is_redirect_to_wikipedia: {
    hit: leads("http://www.shop.example/go", "http://en.wikipedia.org:PORT/wiki/Main_Page"),
    miss: leads("http://w.wiki/go", "http://en.wikipedia.org:PORT/wiki/Main_Page"),
  },
  is_https_downgrade: {
    hit: downgrade,
    miss: leads("http://www.shop.example/go", "http://www.shop.example:PORT/next"),
  },
  is_valid_https: {
    hit: at("https://www.example.com/", { certificate: "good", answer: () => response("good") }),
    miss: at("https://www.example.com/", { certificate: "expired", answer: () => response("good") }),
  },
} satisfies Record<string, Pair>;

/** Design 7.4, Domain. */
export const DOMAIN_CASES = {
  is_domain_blacklisted: { hit: at(AGED, { isBlacklisted: true }), miss: at(AGED) },
  is_suspicious_domain: {
    hit: at("http://x7f3k9q2m1zt.com/"),
    miss: at("http://x7f3k9q2m1zt.cloudfront.net/"),
  },
  is_sinkholed_domain: { hit: named("192.0.2.7"), miss: named("192.0.2.8") },
  is_domain_recent: { hit: at(AGED, { ageDays: 29 }), miss: at(AGED, { ageDays: 30 }) },
  is_domain_very_recent: { hit: at(AGED, { ageDays: 6 }), miss: at(AGED, { ageDays: 7 }) },
  is_domain_ipv4_assigned: { hit: named("8.8.8.8"), miss: named("2001:4860::8") },
  is_domain_ipv4_private: { hit: named("10.1.2.3"), miss: named("100.64.0.1") },
  is_domain_ipv4_loopback: {
    hit: named("127.0.0.1"),
    miss: at("http://127.0.0.1/", { addresses: ["127.0.0.1"] }),
  },
  is_domain_ipv4_reserved: { hit: named("240.0.0.1"), miss: named("192.168.0.1") },
  is_domain_ipv4_valid: { hit: named("8.8.8.8"), miss: at(AGED, { addresses: ["8.8.8.8", "10.0.0.1"] }) },
  is_free_hosting: { hit: at("http://me.free-host.example/"), miss: at("http://free-host.shop.example/") },
  is_free_dynamic_dns: { hit: at("http://home.dyn.example/"), miss: at("http://dyn.shop.example/") },
  is_url_shortener: { hit: at("http://short.example/x"), miss: at("http://www.shop.example/short.example") },
  is_risky_category: { hit: at("http://gofile.io/d/x"), miss: at("http://www.mullvad.net/") },
} satisfies Record<string, Pair>;
