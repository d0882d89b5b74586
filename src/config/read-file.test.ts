import { describe, expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { parseConfigText } from "./read-file.ts";

function messageOf(text: string): string {
  try {
    parseConfigText(text, "repute.yaml");
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("It was accepted");
}

// Each case: what is wrong, the line that is blamed, the message; then the file.
const BAD_FILES = `
=== an unknown section | 2 | dsn: unknown key, expected one of server, dns, rdap,
dns: {}
dsn: {}
=== an unknown key | 3 | dns.server: unknown key, expected one of servers, timeout_ms, dnsbl_servers, probe, probe_names
dns:
  timeout_ms: 100
  server: []
=== an unknown key of a list's entry | 4 | engines.feeds[0].colour: unknown key, expected one of
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain,
        colour: red }
=== a prototype word | 1 | __proto__: unknown key
__proto__: { x: 1 }
=== a prototype word in a section | 2 | dns.__proto__: unknown key
dns:
  __proto__: { timeout_ms: 100 }
=== a prototype word among policies | 3 | no key may be called __proto__
policies:
  edge: {}
  __proto__: { block_at: 60 }
=== a prototype word among headers | 3 | no key may be called __proto__
engines:
  feeds:
    - { key: a, target: ip, format: plain, url: "https://a.example/", headers: { "__proto__": hunter2 } }
=== a prototype word among WHOIS servers | 1 | no key may be called __proto__
whois: { servers: { "\\u005f_proto__": "192.0.2.1" } }
=== the port | 2 | server.port: unknown key, it is set by the environment variable PORT
server:
  port: 9000
=== the address | 1 | server.listen: unknown key, it is set by the environment variable HOST
server: { listen: 0.0.0.0 }
=== the database at the top | 1 | database_url: unknown key, it is set by the environment variable DATABASE_URL
database_url: postgres://repute:hunter2@db.example/repute
=== a variable in capitals | 1 | VALKEY_URL: unknown key, it is set by the environment variable VALKEY_URL
VALKEY_URL: redis://valkey.example
=== the level with another stroke | 1 | log-level: unknown key, it is set by the environment variable LOG_LEVEL
log-level: debug
=== a port of something else | 1 | metrics.port: unknown key, expected one of listen
metrics: { port: 9100 }
=== a merge key | 2 | dns."<<": unknown key
dns:
  <<: { timeout_ms: 1 }
=== a text for a number | 1 | dns.timeout_ms: expected integer from 50 to 60000, found "fast"
dns: { timeout_ms: fast }
=== a number out of range | 3 | dns.timeout_ms: expected integer from 50 to 60000, found 5
dns:

  timeout_ms: 5
=== a fraction | 1 | usage.keep_days: expected integer from 1 to 36500, found 1.5
usage: { keep_days: 1.5 }
=== a YAML 1.1 boolean | 1 | email.smtp_check: expected true or false, found "yes"
email: { smtp_check: yes }
=== null for a number | 1 | dns.timeout_ms: expected integer from 50 to 60000, found null
dns: { timeout_ms: null }
=== a text for a list | 1 | dns.servers: expected list of text, found "127.0.0.1"
dns: { servers: 127.0.0.1 }
=== a mapping for a list | 1 | allowlists: expected list of mapping, found a mapping
allowlists: { a: 1 }
=== a list for a section | 1 | dns: expected mapping, found a list
dns: [a]
=== a text for the file | - | the file: expected mapping, found "hello"
hello
=== a key that is a list | 2 | configuration: a key is a list or a mapping, expected text
dns:
  [timeout_ms]: 100
=== a resolver by name | 4 | dns.servers[1]: expected a resolver as "ip", "ip:port" or "[v6]:port", found "ns.example"
dns:
  servers:
    - 127.0.0.1
    - ns.example
=== host bits in a network | 1 | fetch.allow_networks[0]: expected a network such as 10.0.0.0/8
fetch: { allow_networks: [10.0.0.1/8] }
=== a proxy by name | 1 | server.trust_proxy[0]: expected a network such as 10.0.0.0/8, host bits zero, found "proxy"
server: { trust_proxy: [proxy] }
=== a public URL with a query | 1 | server.public_url: expected a URL without user, query and fragment
server: { public_url: "https://repute.example/?q" }
=== a public URL with a user | 1 | server.public_url: expected a URL without user, query and fragment
server: { public_url: "https://u:p@repute.example" }
=== a public URL of another scheme | 1 | server.public_url: expected an http: or https: URL, found "ftp://x"
server: { public_url: "ftp://x" }
=== a feed key that is a path | 3 | engines.feeds[0].key: expected 1 to 64 of a-z, 0-9 and _, found "../x"
engines:
  feeds:
    - { key: ../x, url: "file:/a", target: ip, format: plain }
=== a feed without a URL | 3 | engines.feeds[0].url: expected text, found nothing
engines:
  feeds:
    - { key: a, target: ip, format: plain }
=== a feed over http | 3 | an http: URL of this machine (127.0.0.1, localhost), found "http://u:***@x/"
engines:
  feeds:
    - { key: a, url: "http://u:hunter2@x/", target: ip, format: plain }
=== an unknown format | 3 | engines.feeds[0].format: expected one of plain, netset,
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: zip }
=== another format's option | 3 | engines.feeds[0].delimiter: the format "plain" has no option "delimiter"
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain, delimiter: ";" }
=== a member for csv | 4 | engines.feeds[0].field: the format "csv" has no option "field"; json and ndjson take it
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: csv,
        field: ip }
=== a column for json | 3 | engines.feeds[0].column: the format "json" has no option "column"; csv, abusech_csv and table
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: json, column: ip }
=== a header that is no text | 4 | engines.feeds[0].headers.Authorization: expected text, found a list
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain,
        headers: { Authorization: [hunter2] } }
=== a header of the wrong type | 3 | engines.feeds[0].headers.X: expected text, found a value that is not shown
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain, headers: { X: 4242 } }
=== a header's name with a blank | 4 | headers."X Key": expected the name of a header, without blanks, found a value
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain,
        headers: { "X Key": hunter2 } }
=== a header that no request carries | 4 | headers.X: expected printable ASCII characters in one line, found a value that is not shown
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain,
        headers: { X: "hunter2\\n" } }
=== two feeds of one key | 4 | engines.feeds[1].key: the key "a" is used twice
engines:
  feeds:
    - { key: a, url: "file:/a", target: ip, format: plain }
    - { key: a, url: "file:/b", target: ip, format: plain }
=== a zone that is no name | 3 | zone: expected text: Name of the zone, e.g. bl.example; {key} in front becomes the publisher's key of auth, found "a..b"
engines:
  dnsbl:
    - { key: a, target: ip, zone: "a..b" }
=== a zone's answer that is none | 3 | codes.seven: expected an answer such as 127.0.0.4, found "seven"
engines:
  dnsbl:
    - { key: a, target: ip, zone: a.b, codes: { seven: {} } }
=== a WHOIS server's port | 1 | whois.servers.lab: expected "host" or "host:port", found "a:99999"
whois: { servers: { lab: "a:99999" } }
=== a WHOIS server's port that no server has | 1 | whois.servers.lab: expected "host" or "host:port", found "a:0"
whois: { servers: { lab: "a:0" } }
=== a WHOIS server's TLD | 1 | whois.servers.".lab": expected a top-level domain in lower case, found ".lab"
whois: { servers: { .lab: a } }
=== a price for an unknown plan | 1 | billing.prices.Gold: unknown key, expected one of Starter, Pro, Enterprise
billing: { prices: { Gold: p } }
=== one price for two plans | 1 | billing.prices.Pro: the price "p" is used twice
billing: { prices: { Starter: p, Pro: p } }
=== a secret with the end of its line | 2 | stripe_webhook_secret: expected printable ASCII characters in one line, without blanks, found a value that is not shown
billing:
  stripe_webhook_secret: "hunter2\\n"
=== a secret of the wrong type | 1 | stripe_secret_key: expected text or null, found a value that is not shown
billing: { stripe_secret_key: 4242 }
=== an unknown word | 1 | dashboard.signup: expected one of open, closed, found "maybe"
dashboard: { signup: maybe }
=== an owner without @ | 1 | dashboard.owners[0]: expected an e-mail address, found "root"
dashboard: { owners: [root] }
=== a place to listen without a port | 1 | metrics.listen: expected "host:port", found "127.0.0.1"
metrics: { listen: 127.0.0.1 }
=== a record service's URL | 1 | enrichment.record_api.url: expected URL or null
enrichment: { record_api: { url: "file:/x" } }
=== two faults | 1 | dns.timeout_ms: expected integer from 50 to 60000, found 1; 1 more to fix
dns: { timeout_ms: 1 }
usage: { keep_days: 0 }
=== a key given twice | 3 | the key "dns" is given twice
dns: {}
server: {}
dns: {}
=== an open bracket | 2 | not valid YAML: Flow sequence
dns: { servers: [
=== a tab for indentation | 2 | not valid YAML: Tabs are not allowed as indentation
dns:
\ttimeout_ms: 100
=== an unknown tag | 1 | not valid YAML: Unresolved tag
dns: !!js/function "x"
=== an alias without an anchor | 1 | an alias without an anchor
dns: *nowhere
=== two documents | 2 | expected one document, and a line "---" or "..." begins another
dns: {}
---
dns: {}
=== an alias bomb | 3 | too many aliases
dns:
  a: &a [x, x, x, x, x, x, x, x, x]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
=== nesting without end | 1 | it is nested too deeply
${"[".repeat(40_000)}
`;

const cases = BAD_FILES.split("\n=== ")
  .slice(1)
  .map((block) => {
    const [header = "", ...lines] = block.split("\n");
    const [why = "", line = "", says = ""] = header.split(" | ");
    return { why, line, says, text: `${lines.join("\n")}\n` };
  });

describe("parseConfigText() refuses in one line, with path, expectation, finding and line:", () => {
  test.each(cases)("$why", ({ text, says, line }) => {
    const message = messageOf(text);
    expect(message).toContain(says);
    expect(message).toContain(line === "-" ? "(repute.yaml)" : `(repute.yaml, line ${line})`);
    expect(message).toMatch(/^Invalid configuration: .*\)$/);
    expect(message).not.toContain("hunter2");
  });
});
