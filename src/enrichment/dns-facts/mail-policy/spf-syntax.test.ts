import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSpfRecord } from "./spf-record.ts";

describe("the grammar of SPF terms (RFC 7208, 12)", () => {
  const label63 = "a".repeat(63);
  test.each<[term: string, why: string]>([
    ["all", "5.1"],
    ["-ALL", "names are case-insensitive"],
    ["a", "5.3: the domain is optional"],
    ["a/0", "a length of zero"],
    ["a/32", "the longest IPv4 length"],
    ["a//0", "an IPv6 length alone"],
    ["a//128", "the longest IPv6 length"],
    ["a//33", "IPv6 lengths go beyond 32"],
    ["a/24//64", "both lengths"],
    ["a:foo.example.com/24", "a domain with a length"],
    ["mx:foo.example.com//64", "a domain with an IPv6 length"],
    ["a:foo:bar/baz.example.com", "7.1: a colon and a slash are letters of a macro string"],
    ["mx:foo:bar/baz.example.com/24//64", "and a length follows them"],
    ["a:foo/24.example.com", "a length only stands at the end"],
    ["a:foo=bar.example.com", "an equals sign after the colon makes no modifier"],
    ["a:foo.example.xn--zckzah", "a top label with hyphens inside"],
    ["a:example.1-2", "a top label of digits and a hyphen"],
    ["a:example.c0m", "a top label with a digit"],
    ["a:_spf.example.com.", "a final dot"],
    [`a:${label63}.example.com`, "a label of 63 characters"],
    ["a:!\"#$&'()*+,-;<>?@[]^`{|}~.example.com", "7.1: every visible character but the percent sign"],
    ["a:back\\slash.example.com", "a backslash is visible"],
    ["a:macro%%percent%_%_space%-url-space.example.com", "the three macros without a letter"],
    ["a:%{d}", "a macro may end the domain"],
    ["a:museum%{d}", "with anything before it"],
    ["a:%%", "this macro too"],
    ["a:%{d}/24//64", "lengths after a macro"],
    ["exists:%{ir}.%{v}._spf.%{d2}", "the usual macros"],
    ["exists:%{i}.%{l2r-}.user.%{d2}", "a delimiter"],
    ["exists:%{l2r+-}.user.%{d2}", "two delimiters"],
    ["exists:%{l.-+,/_=}.example.com", "all delimiters"],
    ["exists:%{S}%{L}%{O}%{D}%{I}%{P}%{H}%{V}.example.com", "letters in upper case"],
    ["exists:%{d999R}.example.com", "more labels than there are, and R in upper case"],
    ["exists:%{d01}.example.com", "a number that is not zero"],
    ["a:%{d1/}.example.com/24", "a slash as a delimiter does not begin the length"],
    ["include:example.com", "5.2"],
    ["ptr", "5.5: the domain is optional"],
    ["ptr:example.com", "5.5"],
    ["ip4:192.0.2.0", "5.6: the length is optional"],
    ["ip4:1.1.1.1/0", "host bits may be set"],
    ["ip6:::1.1.1.1/0", "an IPv6 address that ends as IPv4"],
    ["ip6:::ffff:192.0.2.1", "a mapped address is an IPv6 text"],
    ["ip6:Cafe:Babe:8000::/33", "letters in upper case"],
    ["redirect=_spf.example.com", "6.1"],
    ["exp=%{ir}.example.com", "6.2"],
    ["foo=", "6: a macro string may be empty"],
    ["moo.cow-far_out=man:dog/cat", "letters of the name of a modifier"],
    ["default=+", "a modifier of early drafts"],
    ["foo=%{c}%{r}%{t}", "the grammar of unknown modifiers has all letters"],
  ])("takes %j: %s", (term) => {
    expect(parseSpfRecord(`v=spf1 ${term}`).errors).toEqual([]);
  });

  test.each<[term: string, why: string]>([
    ["-all.", "5.1: no argument"],
    ["-all:foobar", "5.1: no argument"],
    ["-all/8", "5.1: no argument"],
    ["--all", "one qualifier"],
    ["moo", "no such mechanism"],
    ["mxx", "no such mechanism"],
    ["A4:1.2.3.4", "no such mechanism"],
    ["redirect:t2.example.com", "a modifier is no mechanism"],
    ["+redirect=example.com", "a modifier has no qualifier"],
    ["moo.cow/far_out=man:dog/cat", "a slash in the name of a modifier"],
    ["moo.cow:far_out=man:dog/cat", "a colon in the name of a modifier"],
    ["1up=foo", "the name of a modifier begins with a letter"],
    ["=all", "a modifier has a name"],
    ["foo=%abc", "an unknown modifier has valid macros too"],
    ["foo=%{x}", "no such macro"],
    ["foo=100%", "a percent sign at the end"],
    ["foo=a\tb", "a tab is not visible"],
    ["a:", "a domain is not empty"],
    ["a:/24", "a domain is not empty"],
    ["a/", "a length is not empty"],
    ["a//", "a length is not empty"],
    ["a/33", "IPv4 has 32 bits"],
    ["a//129", "IPv6 has 128 bits"],
    ["a/24/64", "an IPv6 length has two slashes"],
    ["a//64/24", "the IPv4 length comes first"],
    ["a///24", "three slashes"],
    ["a/024", "a leading zero"],
    ["a//064", "a leading zero"],
    ["a/00", "a leading zero"],
    ["mx/-1", "a length has no sign"],
    ["mx:foo.example.com/032", "a leading zero"],
    ["a:111.222.33.44", "an address is no domain"],
    ["a:abc.123", "the last label is a number"],
    ["a:abc.123.", "the last label is a number"],
    ["mx:abc.123", "the last label is a number"],
    ["a:%{i}.123", "the last label after a macro is a number"],
    ["a:foo-bar", "one label"],
    ["a:museum", "one label"],
    ["a:museum.", "a final dot does not help"],
    ["a:%{d}com", "no dot before the top label"],
    ["a:example.-com", "the top label begins with a hyphen"],
    ["a:example.com-", "the top label ends with a hyphen"],
    ["a:example.c_m", "the top label has an underscore"],
    ["a:example.com:8080", "a colon in the top label"],
    ["mx:foo.example.com\0", "a null octet"],
    ["a:ctrl.example.com\rptr", "a line end separates no terms"],
    ["a:ctrl.example.com\tptr", "a tab separates no terms"],
    ["a:\xef\xbb\xbfgarbage.example.net", "octets that are not ASCII"],
    ["\x80a:example.net", "octets that are not ASCII"],
    ["\x96all", "octets that are not ASCII"],
    ["a:grüße.example", "letters that are not ASCII"],
    ["a:mail.example...com", "empty labels"],
    ["a:.com", "an empty label"],
    [`a:a${label63}.example.com`, "a label of 64 characters"],
    ["include", "5.2: a domain is required"],
    ["include:", "5.2: a domain is required"],
    ["include:ip5.example.com/24", "5.2: no length"],
    ["exists", "5.7: a domain is required"],
    ["exists:", "5.7: a domain is required"],
    ["exists:mail.example.com/24", "5.7: no length"],
    ["ptr:", "5.5: a domain is not empty"],
    ["ptr/0", "5.5: no length"],
    ["exists:%(ir).sbl.example.com", "a percent sign begins a macro"],
    ["exists:foo%(ir).sbl.example.com", "a percent sign begins a macro"],
    ["exists:foo%.sbl.example.com", "a percent sign begins a macro"],
    ["a:%{a}.example.com", "no such macro"],
    ["a:%{}.example.com", "no letter"],
    ["a:%{d", "an open macro"],
    ["a:%{d0}.example.com", "7.3: zero labels"],
    ["a:%{dr2}.example.com", "the number comes before the r"],
    ["a:%{d2rr}.example.com", "one r"],
    ["a:%{d:}.example.com", "a colon is no delimiter"],
    ["exists:%{c}.example.com", "7.2: only in explanations"],
    ["exists:%{T}.example.com", "7.2: only in explanations"],
    ["exp=%{r}.example.com", "7.2: the name of an explanation is no explanation"],
    ["exp=", "6.2: a domain is required"],
    ["exp=-all", "one label"],
    ["redirect=", "6.1: a domain is required"],
    ["redirect=-all", "one label"],
    ["redirect=1.2.3.4", "an address is no domain"],
    ["ip4", "an address is required"],
    ["ip4:", "an address is required"],
    ["ip4:1.2.3", "a short form"],
    ["ip4:1.2.3.4/33", "IPv4 has 32 bits"],
    ["ip4:1.2.3.4/032", "a leading zero"],
    ["ip4:1.2.3.4/", "a length is not empty"],
    ["ip4:1.2.3.4//32", "IPv4 has one slash"],
    ["ip4:1.2.3.4/24/24", "one length"],
    ["ip4:1.2.3.4:8080", "no port"],
    ["ip4:01.2.3.4", "a leading zero"],
    ["ip4:1.2.3.256", "an octet ends at 255"],
    ["ip4:::ffff:1.2.3.4", "an IPv6 text"],
    ["ip6", "an address is required"],
    ["ip6:1.2.3.4", "an IPv4 text"],
    ["ip6:::1.1.1.1/129", "IPv6 has 128 bits"],
    ["ip6:::1.1.1.1//33", "one slash"],
    ["ip6::CAFE::BABE", "one colon too few"],
    ["ip6:fe80::1%eth0", "no zone"],
    ["ip6:[2001:db8::1]", "no brackets"],
  ])("refuses %j: %s", (term) => {
    const { errors } = parseSpfRecord(`v=spf1 ${term} ip4:192.0.2.1`);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^"[ -~]+" is not valid: [ -~]+[^.]$/);
  });

  const macro = fc
    .tuple(
      fc.constantFrom(..."slodiphvSLODIPHV"),
      fc.constantFrom("", "1", "7", "127"),
      fc.constantFrom("", "r", "R"),
      fc.string({ unit: fc.constantFrom(..."+-,/_=."), maxLength: 3 }),
    )
    .map(([letter, digits, reverse, delimiters]) => `%{${letter}${digits}${reverse}${delimiters}}`);
  const literal = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 12,
  });
  const part = fc.oneof(
    macro,
    fc.constantFrom("%%", "%_", "%-"),
    literal.map((text) => text.replaceAll("%", "")),
  );

  test("takes every domain that the grammar makes, and none once a percent sign stands alone in it", () => {
    const topLabel = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), topLabel, macro, (parts, label, last) => {
        // A macro in front: without one, labels must not be empty either.
        const domain = `%{d}${parts.join("")}`;
        for (const text of [`${domain}.${label}`, `${domain}.${label}.`, `${domain}${last}`]) {
          expect(parseSpfRecord(`v=spf1 exists:${text}`).errors).toEqual([]);
          expect(parseSpfRecord(`v=spf1 a:${text}/24//64`).errors).toEqual([]);
          expect(parseSpfRecord(`v=spf1 exists:%.${text}`).errors).toHaveLength(1);
        }
      }),
    );
  });
});
