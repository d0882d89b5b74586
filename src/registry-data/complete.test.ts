import { expect, test } from "vitest";
import { completeRegistration } from "./complete.ts";
import { judgeRegistrant } from "./privacy.ts";
import { type DomainRegistration, emptyDomainRegistration } from "./types.ts";

const EMPTY = { name: null, organization: null, state: null, country: null, email: null };
const HIDDEN = "REDACTED FOR PRIVACY";

const registration = (shown: Partial<Parameters<typeof judgeRegistrant>[0]>): DomainRegistration => ({
  ...emptyDomainRegistration("example.com", true),
  ...judgeRegistrant({ ...EMPTY, ...shown }),
});

test.each([
  ["both hide the holder", { name: HIDDEN }, { name: HIDDEN }, true, ["registrant_name"]],
  [
    "the registrar shows no more than a country",
    { name: HIDDEN, organization: HIDDEN },
    { country: "US" },
    true,
    ["registrant_name", "registrant_organization"],
  ],
  [
    "the registrar hides what the registry has not",
    { organization: "Example B.V." },
    { name: HIDDEN },
    true,
    ["registrant_name"],
  ],
  ["the registrar shows what the registry hides", { name: HIDDEN }, { name: "A. Person" }, false, []],
  ["nothing is hidden", { name: "A. Person" }, { organization: "Example B.V." }, false, []],
  ["nothing is said", {}, {}, null, []],
])("a holder is protected while a field of theirs is redacted: %s", (_, registry, registrar, ...expected) => {
  const { privacyProtected, redactedFields } = completeRegistration(
    registration(registry),
    registration(registrar),
  );
  expect([privacyProtected, redactedFields]).toEqual(expected);
});
