import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBlank, isPrivacyService, isRedacted, judgeRegistrant } from "./privacy.ts";

const EMPTY = { name: null, organization: null, state: null, country: null, email: null };

describe("isRedacted()", () => {
  test.each([
    ["REDACTED FOR PRIVACY"],
    ["Data Protected"],
    ["Data Redacted"],
    ["Not Disclosed"],
    ["NOT DISCLOSED! Visit www.eurid.eu for the web-based WHOIS."],
    ["Not shown, please visit www.dnsbelgium.be for webbased whois."],
    ["(not shown)"],
    ["Not Disclosed - Visit www.internet.ee for webbased WHOIS"],
    ["<data not disclosed>"],
    ["GDPR Masked"],
    ["GDPR Redacted"],
    ["Statutory Masking Enabled"],
    ["Non-Public Data - redacted"],
    ["Hidden upon user request"],
    ["hidden"],
    ["(Hidden)"],
    ["HIDDEN!"],
    ["HIDDEN! Details are available at https://registry.lab/whois/"],
    ["Hidden data"],
    ["Hidden by request"],
    ["Hidden due to GDPR"],
    ["Private Person"],
    ["not published"],
    ["Personal data, can not be publicly disclosed according to applicable laws."],
    ["Please query the RDDS service of the Registrar of Record identified in this output"],
    ["Select Request Email Form at https://registrar.example/whois"],
    ["Withheld for Privacy Purposes"],
    ["PRIVACYDOTLINK CUSTOMER 1 REDACTED"],
    ["Private"],
    ["CONFIDENTIAL"],
    ["Name withheld"],
    ["[masked]"],
    ["Non-public data"],
    ["Ano Nymous"],
    ["Données masquées"],
    ["Donne\u0301es masque\u0301es"],
    ["Datos protegidos"],
    ["Não publicado"],
    ["Privatperson"],
    ["Osoba fizyczna"],
    ["Физическое лицо"],
    ["Фізична особа"],
    ["隐私保护"],
    ["(非公開)"],
    ["비공개"],
  ])("takes %j for a redaction", (text) => {
    expect(isRedacted(text)).toBe(true);
  });

  test.each([
    ["Example GmbH"],
    ["Protected Harvest Inc"],
    ["Personal Computers Ltd"],
    ["NL"],
    ["Private Bank AG"],
    ["Hidden Valley Farms"],
    ["Hidden Brook Ltd"],
    ["Private Bank"],
    ["Confidential Couriers Ltd"],
    ["Anonymous Content LLC"],
    ["Privat Dozenten e.V."],
    ["個人情報保護委員会"],
    ["株式会社例"],
    ["Ano Nymousson"],
    ["1234"],
    ["***"],
  ])("takes %j for a value", (text) => {
    expect(isRedacted(text)).toBe(false);
  });
});

test.each([
  [""],
  ["-"],
  ["N/A"],
  ["***N/A***"],
  ["Not Available From Registry"],
  ["none"],
  ["."],
  ["not defined"],
])("%j is a blank", (text) => {
  expect(isBlank(text)).toBe(true);
});

describe("isPrivacyService()", () => {
  test.each([
    ["Domains By Proxy, LLC"],
    ["DomainsByProxy.com"],
    ["WhoisGuard, Inc."],
    ["Whois Privacy Service"],
    ["Contact Privacy Inc. Customer 0123456789"],
    ["Privacy service provided by Withheld for Privacy ehf"],
    ["PrivacyGuardian.org llc"],
    ["See PrivacyGuardian.org"],
    ["Privacy Protect, LLC (PrivacyProtect.org)"],
    ["Perfect Privacy, LLC"],
    ["Registration Private"],
    ["Domain Privacy Service FBO Registrant"],
    ["Identity Protection Service"],
    ["Identity Protect Limited"],
    ["Knock Knock WHOIS Not There, LLC"],
    ["Proxy Protection LLC"],
    ["Super Privacy Service LTD c/o Dynadot"],
    ["Njalla Okta LLC"],
    ["1&1 Internet - On behalf of example.com OWNER"],
    ["Whois Agent"],
    ["Anonymize, Inc."],
  ])("knows %j", (name) => {
    expect(isPrivacyService(name)).toBe(true);
  });

  test.each([
    ["Example GmbH"],
    ["Electronic Privacy Information Center"],
    ["Proxy Lubricants"],
    ["Guardian News"],
  ])("leaves %j alone", (name) => {
    expect(isPrivacyService(name)).toBe(false);
  });
});

describe("judgeRegistrant()", () => {
  test("knows nothing of a registrant without data", () => {
    expect(judgeRegistrant({ ...EMPTY, name: "", country: "-" })).toEqual({
      registrant: { name: null, organization: null, state: null, country: null, emailDomain: null },
      privacyProtected: null,
      redactedFields: [],
    });
  });

  test.each([
    ["NA", "NA"],
    [" na ", "NA"],
    ["N/A", null],
    ["n.a.", null],
    ["-", null],
  ])("takes the country %j for %j", (country, code) => {
    expect(judgeRegistrant({ ...EMPTY, country }).registrant.country).toBe(code);
    expect(judgeRegistrant({ ...EMPTY, state: "NA" }).registrant.state).toBeNull();
  });

  test("gives null for what is redacted, and names it", () => {
    const shown = {
      name: "REDACTED FOR PRIVACY",
      organization: "Example B.V.",
      state: "Data Protected",
      country: "nl",
      email: "Please query the RDDS service of the Registrar of Record",
    };
    expect(judgeRegistrant(shown, ["Registrant Street"])).toEqual({
      registrant: { name: null, organization: "Example B.V.", state: null, country: "NL", emailDomain: null },
      privacyProtected: true,
      redactedFields: ["Registrant Street", "registrant_email_domain", "registrant_name", "registrant_state"],
    });
  });

  test("gives null for a privacy service and for its mail domain", () => {
    const shown = {
      ...EMPTY,
      name: "Registration Private",
      organization: "Domains By Proxy, LLC",
      state: "Arizona",
      email: "example.com@domainsbyproxy.com",
    };
    expect(judgeRegistrant(shown)).toEqual({
      registrant: { name: null, organization: null, state: "Arizona", country: null, emailDomain: null },
      privacyProtected: true,
      redactedFields: ["registrant_email_domain", "registrant_name", "registrant_organization"],
    });
  });

  test("says that a registrant shown in full is not protected", () => {
    const shown = {
      ...EMPTY,
      organization: " Example AG ",
      country: "Hong Kong (HK)",
      email: "A@Example.CH",
    };
    expect(judgeRegistrant(shown)).toEqual({
      registrant: {
        name: null,
        organization: "Example AG",
        state: null,
        country: "HK",
        emailDomain: "example.ch",
      },
      privacyProtected: false,
      redactedFields: [],
    });
  });

  test("is sure of what it shows, of any texts", () => {
    const field = fc.option(
      fc.oneof(fc.string(), fc.constantFrom("redacted", "N/A", "Whois Agent", "a@b.example")),
    );
    const shown = fc.record({ name: field, organization: field, state: field, country: field, email: field });
    fc.assert(
      fc.property(shown, (texts) => {
        const { registrant, privacyProtected, redactedFields } = judgeRegistrant(texts);
        const isShown = Object.values(registrant).some((value) => value !== null);
        expect(privacyProtected).toBe(redactedFields.length > 0 ? true : isShown ? false : null);
      }),
    );
  });
});
