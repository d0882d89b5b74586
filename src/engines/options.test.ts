import { expect, test } from "vitest";
import { enginesOptionsSchema } from "./options.ts";

const LIST = { key: "my_list", url: "https://lists.example/a.txt", format: "plain", provider: "Acme VPN" };

const faultsOf = (more: object): readonly string[] =>
  enginesOptionsSchema
    .safeParse({ feeds: [{ ...LIST, ...more }] })
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

test.each(["vpn", "proxy", "tor"])(
  "a list of addresses in the category %s may name a provider",
  (category) => {
    expect(faultsOf({ target: "ip", category })).toEqual([]);
  },
);

test.each([
  ["another category", { target: "ip", category: "attack" }],
  ["the category that is meant where none stands", { target: "ip" }],
  ["names", { target: "domain", category: "vpn" }],
  ["mailboxes", { target: "email", category: "proxy" }],
])("of a list of %s no answer would show a provider", (_, more) => {
  expect(faultsOf(more)).toEqual([expect.stringMatching(/^feeds\.0\.provider: .* vpn, proxy, tor$/)]);
});
