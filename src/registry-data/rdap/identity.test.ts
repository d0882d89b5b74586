import { describe, expect, test } from "vitest";
import { readCidr } from "../../targets/cidr.ts";
import { isOfDomain, isOfNetwork, isOfNumber } from "./identity.ts";

const networkOf = (text: string) => {
  const network = readCidr(text);
  if (network === null) throw new Error(`${text} is no network`);
  return network;
};

describe("isOfDomain()", () => {
  test.each<[string, object, boolean | null]>([
    ["the name in capitals", { ldhName: "EXAMPLE.COM" }, true],
    ["the name with its final dot", { ldhName: "example.com." }, true],
    ["the Unicode name alone", { unicodeName: "example.com" }, true],
    ["another name", { ldhName: "other.com" }, false],
    ["a host below it", { ldhName: "www.example.com" }, false],
    ["the name above it", { ldhName: "com" }, false],
    [
      "another name beside the right Unicode name",
      { ldhName: "other.com", unicodeName: "example.com" },
      false,
    ],
    ["no name", { handle: "1-EXAMPLE" }, null],
    ["a name that is none", { ldhName: "<b>" }, false],
    ["a name of the wrong shape", { ldhName: ["example.com"] }, null],
  ])("judges %s", (_, object, expected) => {
    expect(isOfDomain({ ...object }, "example.com")).toBe(expected);
  });

  test.each(["xn--bcher-kva.example", "bücher.example", "BÜCHER.example"])(
    "compares %s as A-labels",
    (name) => {
      expect(isOfDomain({ unicodeName: name }, "xn--bcher-kva.example")).toBe(true);
      expect(isOfDomain({ ldhName: name }, "xn--bcher-kva.example")).toBe(true);
    },
  );
});

describe("isOfNetwork()", () => {
  test.each<[string, readonly string[], boolean]>([
    ["8.8.8.8", ["8.8.8.0/24"], true],
    ["8.8.8.8", ["8.8.8.8/32"], true],
    ["8.8.8.8", ["0.0.0.0/0"], true],
    ["8.8.8.8", ["8.8.4.0/24"], false],
    ["8.8.8.8", ["198.51.100.0/23", "8.8.8.0/24"], true],
    ["8.8.8.0/24", ["8.8.8.0/24"], true],
    ["8.8.8.0/23", ["8.8.8.0/24"], false],
    ["8.8.8.8", ["2001:db8::/32"], false],
    ["2001:db8::1", ["2001:db8::/32"], true],
    ["2001:db9::1", ["2001:db8::/32"], false],
    ["8.8.8.8", [], true],
  ])("%s in %j: %s", (asked, cidrs, expected) => {
    expect(isOfNetwork({ cidrs }, networkOf(asked))).toBe(expected);
  });
});

describe("isOfNumber()", () => {
  test.each<[object, boolean]>([
    [{ startAutnum: 64500, endAutnum: 64500 }, true],
    [{ startAutnum: 64496, endAutnum: 64511 }, true],
    [{ startAutnum: "64500" }, true],
    [{ startAutnum: 64496 }, false],
    [{ startAutnum: 64501, endAutnum: 64511 }, false],
    [{ startAutnum: 1, endAutnum: 64499 }, false],
    [{}, true],
  ])("AS64500 in %j: %s", (object, expected) => {
    expect(isOfNumber({ ...object }, 64500)).toBe(expected);
  });
});
