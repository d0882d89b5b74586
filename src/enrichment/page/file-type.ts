import type { FileKind, FileType } from "./shapes.ts";

const BY_EXTENSION = new Map<string, FileKind>(
  (
    [
      ["HTML", "html htm xhtml shtml php asp aspx jsp cgi"],
      ["PE", "exe dll scr sys cpl pif"],
      ["ELF", "elf so"],
      ["MACHO", "dylib macho"],
      ["APK", "apk xapk aab"],
      ["ZIP", "zip jar war"],
      ["RAR", "rar"],
      ["7Z", "7z"],
      ["PDF", "pdf"],
      ["OLE", "doc xls ppt dot xlt pps msg msi"],
      ["OOXML", "docx xlsx pptx docm xlsm pptm dotx xltx ppsx"],
      ["LNK", "lnk"],
      ["SCRIPT", "js vbs vbe jse wsf hta ps1 bat cmd sh py pl"],
      ["IMAGE", "png jpg jpeg gif webp bmp ico svg avif tif tiff"],
      ["TEXT", "txt csv md log ini css xml"],
      ["JSON", "json"],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(" ").map((extension) => [extension, kind] as const)),
);

const BY_TYPE: readonly (readonly [RegExp, FileKind])[] = [
  [/^text\/html|^application\/xhtml/, "HTML"],
  [/^application\/(x-msdownload|x-dosexec|vnd\.microsoft\.portable-executable)/, "PE"],
  [/^application\/(x-executable|x-elf|x-sharedlib)/, "ELF"],
  [/^application\/x-mach/, "MACHO"],
  [/^application\/vnd\.android\.package/, "APK"],
  [/^application\/(zip|x-zip|java-archive)/, "ZIP"],
  [/^application\/(vnd\.rar|x-rar)/, "RAR"],
  [/^application\/x-7z/, "7Z"],
  [/^application\/pdf/, "PDF"],
  [/^application\/vnd\.openxmlformats/, "OOXML"],
  [/^application\/(msword|vnd\.ms-|x-msi|x-ms-installer)/, "OLE"],
  [/^application\/x-ms-shortcut/, "LNK"],
  [/^(text|application)\/(x-)?(javascript|ecmascript|vbscript|sh|shellscript|powershell|hta)/, "SCRIPT"],
  [/^image\//, "IMAGE"],
  [/^application\/([a-z0-9.+-]*\+)?json/, "JSON"],
  [/^text\//, "TEXT"],
];

/** The kind that a path's extension claims; `""` without one. */
export function kindOfExtension(extension: string): FileKind {
  if (extension === "") return "";
  return BY_EXTENSION.get(extension.toLowerCase()) ?? "UNKNOWN";
}

/** The kind that a `Content-Type` claims; `""` without one. */
export function kindOfType(contentType: string): FileKind {
  const type = contentType.trim().toLowerCase();
  if (type === "") return "";
  return BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? "UNKNOWN";
}

/** Whether a `Content-Type` is that of XML (MIME Sniffing, 4.6). */
export const isXml = (contentType: string): boolean =>
  /^(?:text|application)\/xml\b|^[\w-]{1,64}\/[\w.-]{0,64}\+xml\b/.test(contentType.trim().toLowerCase());

/** Formats that are told by octets at their beginning, as in their specifications. */
const MAGIC: readonly (readonly [FileKind, readonly number[]])[] = [
  ["ELF", [0x7f, 0x45, 0x4c, 0x46]],
  ["RAR", [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ["7Z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["OLE", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ["LNK", [0x4c, 0, 0, 0, 0x01, 0x14, 0x02, 0]],
  ["ZIP", [0x50, 0x4b, 0x03, 0x04]],
  ["ZIP", [0x50, 0x4b, 0x05, 0x06]],
  ["IMAGE", [0x89, 0x50, 0x4e, 0x47]],
  ["IMAGE", [0xff, 0xd8, 0xff]],
  ["IMAGE", [0x47, 0x49, 0x46, 0x38]],
  ["IMAGE", [0, 0, 1, 0]],
];

/** The kind that the first octets show; `""` of an empty body. */
export function kindOfSignature(body: Buffer): FileKind {
  if (body.length === 0) return "";
  const magic = MAGIC.find(([, octets]) => octets.every((octet, i) => body[i] === octet))?.[0];
  if (magic !== undefined) return magic === "ZIP" ? zipKind(body) : magic;
  if (isPe(body)) return "PE";
  if (isMachO(body)) return "MACHO";
  if (isImage(body)) return "IMAGE";
  const kind = textKind(body);
  // Readers of PDF take its mark anywhere in the first 1,024 octets (ISO 32000-1, annex H).
  return kind !== "HTML" && body.subarray(0, 1024).includes("%PDF-") ? "PDF" : kind;
}

const latin = (body: Buffer, start: number, end: number): string =>
  body.subarray(start, end).toString("latin1");

/** A header that begins with MZ holds zero octets; a text that does holds none. */
const isPe = (body: Buffer): boolean => latin(body, 0, 2) === "MZ" && body.subarray(0, 64).includes(0);

const MACHO = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]);

/** Fat binaries share their number with Java classes, whose second word is a version above 40. */
function isMachO(body: Buffer): boolean {
  if (body.length < 8) return false;
  const magic = body.readUInt32BE(0);
  return MACHO.has(magic) || (magic === 0xcafebabe && body.readUInt32BE(4) < 40);
}

/** Names of members stand uncompressed in the octets. */
function zipKind(body: Buffer): FileKind {
  const has = (name: string) => body.includes(name);
  if (has("AndroidManifest.xml") && (has("classes.dex") || has("resources.arsc"))) return "APK";
  // Other packages have content types too (NuGet, XPS, add-ins).
  const isOffice = has("[Content_Types].xml") && (has("word/") || has("xl/") || has("ppt/"));
  return isOffice ? "OOXML" : "ZIP";
}

const isImage = (body: Buffer): boolean =>
  (latin(body, 0, 2) === "BM" && body.length > 10 && body.readUInt32LE(6) === 0) ||
  (latin(body, 0, 4) === "RIFF" && latin(body, 8, 12) === "WEBP") ||
  latin(body, 4, 12) === "ftypavif";

const HTML =
  /^<(?:!doctype html|html|head|body|title|script|meta|link|style|div|span|center|font|h1|p|a|b|img|table|form|iframe|br)\b/i;
const SVG = /^<svg\b|^<\?xml[^>]{0,200}\?>\s{0,200}<svg\b/i;
const SCRIPT =
  /^(?:#!|on error resume next|@echo off|powershell\b|\$[a-z_]{1,40}\s{0,8}=|function\s|var\s|const\s|import\s)/i;
const HEAD_BYTES = 4096;

function textKind(body: Buffer): FileKind {
  const head = body.subarray(0, HEAD_BYTES);
  if (head.some(isNoText)) return "UNKNOWN";
  const whole = head
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  const isComment = whole.startsWith("<!--");
  const text = withoutComments(whole);
  if (SVG.test(text)) return "IMAGE";
  // A comment is enough for browsers (MIME Sniffing, 7.1).
  if (HTML.test(text) || isComment) return "HTML";
  if (SCRIPT.test(text)) return "SCRIPT";
  return isJson(text, body) ? "JSON" : "TEXT";
}

/** Control characters but blanks and ESC. */
const isNoText = (octet: number): boolean =>
  octet < 9 || (octet > 13 && octet < 27) || (octet > 27 && octet < 32);

/** A page may begin with comments. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    if (end < 0) return rest;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

/** Rich text begins with a brace too. */
const isJson = (text: string, body: Buffer): boolean =>
  /^(?:\[|\{(?!\\rtf))/.test(text) && /[\]}]\s*$/.test(body.subarray(-64).toString("latin1"));

/** Kinds that contain one another, or that common servers and programs take for one another. */
const HARMLESS = new Set(["APK ZIP", "OOXML ZIP", "HTML SCRIPT", "SCRIPT TEXT", "JSON SCRIPT", "OLE OOXML"]);
/** What stands in place of a file is mostly an error's page or a placeholder; none of these can run or hold a macro. */
const INERT: ReadonlySet<FileKind> = new Set(["", "UNKNOWN", "HTML", "TEXT", "JSON", "IMAGE"]);
/** What servers send when no type is configured. */
const DEFAULT_TYPES: ReadonlySet<FileKind> = new Set(["HTML", "TEXT"]);

const agree = (claim: FileKind, signature: FileKind): boolean =>
  claim === signature || HARMLESS.has([claim, signature].sort().join(" "));

/** What a file is said to be and what it is. */
export function fileTypeOf(extension: string, contentType: string, body: Buffer): FileType {
  const signature = kindOfSignature(body);
  const claims = { extension: kindOfExtension(extension), headers: kindOfType(contentType) };
  return { ...claims, signature, mismatch: !INERT.has(signature) && contradicts(claims, signature) };
}

/** Programs on a server (`.php`) deliver anything under their own extension, and say so in the header. */
function contradicts(
  { extension, headers }: Pick<FileType, "extension" | "headers">,
  signature: FileKind,
): boolean {
  const isVague = (claim: FileKind) => claim === "" || claim === "UNKNOWN";
  if (!isVague(extension) && extension !== "HTML" && !agree(extension, signature)) return true;
  if (isVague(headers) || agree(headers, signature)) return false;
  return !(DEFAULT_TYPES.has(headers) && agree(extension, signature));
}
