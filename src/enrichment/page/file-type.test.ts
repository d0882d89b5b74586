import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileTypeOf, kindOfExtension, kindOfSignature, kindOfType } from "./file-type.ts";

const PADDING = "\0".repeat(80);
const signatureOf = (text: string) => kindOfSignature(Buffer.from(text, "latin1"));

describe("kindOfSignature()", () => {
  test.each([
    ["", ""],
    [`MZ\x90\0${PADDING}`, "PE"],
    ["MZ is a text", "TEXT"],
    [`\x7fELF\x02${PADDING}`, "ELF"],
    [`\xcf\xfa\xed\xfe\x07\0\0\x01`, "MACHO"],
    ["\xca\xfe\xba\xbe\0\0\0\x02", "MACHO"],
    [`\xca\xfe\xba\xbe\0\0\0\x41${PADDING}`, "UNKNOWN"],
    [`PK\x03\x04${PADDING}a.txt`, "ZIP"],
    [`PK\x05\x06${PADDING}`, "ZIP"],
    [`PK\x03\x04${PADDING}[Content_Types].xml${PADDING}xl/workbook.xml`, "OOXML"],
    [`PK\x03\x04${PADDING}[Content_Types].xml${PADDING}lib/net8.0/a.dll`, "ZIP"],
    [`PK\x03\x04${PADDING}AndroidManifest.xml${"\0".repeat(100_000)}classes.dex`, "APK"],
    [`PK\x03\x04${PADDING}AndroidManifest.xml classes.jar`, "ZIP"],
    ["Rar!\x1a\x07\x01\0", "RAR"],
    ["7z\xbc\xaf\x27\x1c", "7Z"],
    ["%PDF-1.7", "PDF"],
    ["\x07\x08junk%PDF-1.4", "PDF"],
    ["<p>The mark is %PDF-1.7", "HTML"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "OLE"],
    ["L\0\0\0\x01\x14\x02\0", "LNK"],
    ["\x89PNG\r\n\x1a\n", "IMAGE"],
    ["\xff\xd8\xff\xe0", "IMAGE"],
    ["GIF89a", "IMAGE"],
    ["RIFF\0\0\0\0WEBPVP8 ", "IMAGE"],
    ["\0\0\0\x1cftypavif", "IMAGE"],
    [`BM\x10\0\0\0\0\0\0\0\x36`, "IMAGE"],
    ["BMW makes cars", "TEXT"],
    ['<?xml version="1.0"?><svg xmlns="x">', "IMAGE"],
    ["\xef\xbb\xbf <!DOCTYPE html>", "HTML"],
    ["<!-- a --><!-- b -->\n<html>", "HTML"],
    ["<!-- never closed", "HTML"],
    ['{"a": [1]}\n', "JSON"],
    ["{\\rtf1\\ansi a}", "TEXT"],
    ["#!/bin/sh\n", "SCRIPT"],
    ["$client = New-Object", "SCRIPT"],
    ["plain words", "TEXT"],
    ["\x01\x02\x03", "UNKNOWN"],
  ])("%j is %s", (text, kind) => {
    expect(signatureOf(text)).toBe(kind);
  });

  test("says something of any octets", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
        expect(kindOfSignature(Buffer.from(octets)) === "").toBe(octets.length === 0);
      }),
    );
  });

  test("is not held up by a head of comments", () => {
    expect(signatureOf("<!---->".repeat(600))).toBe("HTML");
    expect(signatureOf(`<!--${"-->".repeat(1300)}`)).toBe("HTML");
  });
});

test.each([
  ["exe", "PE"],
  ["EXE", "PE"],
  ["msi", "OLE"],
  ["php", "HTML"],
  ["bin", "UNKNOWN"],
  ["constructor", "UNKNOWN"],
  ["", ""],
])("the extension %j claims %j", (extension, kind) => {
  expect(kindOfExtension(extension)).toBe(kind);
});

test.each([
  ["text/html; charset=x", "HTML"],
  [" Application/PDF ", "PDF"],
  ["application/problem+json", "JSON"],
  ["application/octet-stream", "UNKNOWN"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "OOXML"],
  ["text/javascript", "SCRIPT"],
  ["text/css", "TEXT"],
  ["", ""],
])("the type %j claims %j", (type, kind) => {
  expect(kindOfType(type)).toBe(kind);
});

describe("name, type and octets", () => {
  const PE = `MZ\x90\0${PADDING}`;
  const ZIP = `PK\x03\x04${PADDING}`;
  const PNG = "\x89PNG\r\n";
  test.each([
    ["jpg", "image/jpeg", PE],
    ["", "image/png", PE],
    ["pdf", "", ZIP],
    ["", "text/html", PE],
    ["doc", "application/msword", "$a = 1; powershell"],
    ["exe", "application/pdf", PE],
  ])("contradict: .%s, %j", (extension, type, body) => {
    expect(fileTypeOf(extension, type, Buffer.from(body, "latin1")).mismatch).toBe(true);
  });

  test.each([
    ["exe", "application/octet-stream", PE, "a type that says nothing"],
    ["exe", "text/plain", PE, "a server that was told nothing"],
    ["php", "application/zip", ZIP, "a program that delivers a file"],
    ["", "", PE, "no claim"],
    ["docx", "application/zip", ZIP, "one is written as the other"],
    ["exe", "application/x-msdownload", "<html>Not found", "an error's page"],
    ["zip", "application/zip", '{"error": 404}', "an error's object"],
    ["pdf", "application/pdf", PNG, "a picture"],
    ["js", "text/plain", "var a = 1", "a script as text"],
    ["xls", "application/vnd.ms-excel", "a;b;c", "a table as text"],
    ["apk", "application/vnd.android.package-archive", ZIP, "one is written as the other"],
  ])("agree: .%s, %j: %s", (extension, type, body) => {
    expect(fileTypeOf(extension, type, Buffer.from(body, "latin1")).mismatch).toBe(false);
  });
});
