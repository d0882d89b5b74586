import { expect, test } from "vitest";
import { PRODUCTS } from "./all.ts";

const MORE: Readonly<Record<string, readonly string[]>> = {
  "check-ip": ["::FFFF:8.8.8.8", "2001:DB8:0::1"],
  "domain-reputation": ["WWW.Bücher.example.", "xn--bcher-kva.example"],
  "url-reputation": ["HTTPS://Bücher.example:443/a b?q=%20#f", "http://[2001:db8::1]/"],
  "email-reputation": ["Some.One+tag@BÜCHER.example", '"quoted local"@example.com'],
  "dns-lookup": ["WWW.Bücher.example", "_dmarc.example.com", "8.8.8.8"],
  "whois-lookup": ["AS64500", "192.0.2.0/24", "2001:DB8::/32", "8.8.8.8", "Bücher.example"],
};

const cases = PRODUCTS.flatMap((product) =>
  [product.example, ...(MORE[product.name] ?? []).map((value) => ({ [product.field]: value }))].map(
    (body) => [product.name, body, product] as const,
  ),
);

test.each(cases)("%s: what asks for %j again asks for the same", (_name, body, product) => {
  const { asked } = product.prepare(body);
  const again = product.prepare({ ...body, [product.field]: asked });
  expect(again.text).toBe(product.prepare(body).text);
  expect(product.prepare({ [product.field]: asked }).asked).toBe(asked);
});
