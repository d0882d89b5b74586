import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";

/** Kinds of files that browsers do not show as text. */
export const BINARY_KINDS = [
  "PE",
  "ELF",
  "MACHO",
  "APK",
  "ZIP",
  "RAR",
  "7Z",
  "PDF",
  "OLE",
  "OOXML",
  "LNK",
] as const;

/** Kinds of files that a report tells apart (design 7.2). */
const kind = z.enum(["HTML", ...BINARY_KINDS, "SCRIPT", "IMAGE", "TEXT", "JSON", "UNKNOWN", ""]);

/** What a file is by its name, by what the server says and by its first octets. */
export const FileTypeShape = z
  .object({
    extension: kind.describe("By the path"),
    headers: kind.describe("By the content type"),
    signature: kind.describe("By the first octets"),
    mismatch: z.boolean().describe("The octets contradict name or server, save harmless pairs"),
  })
  .meta({ id: "FileType", description: "What kind of file the last response is" });
export type FileType = Wire<typeof FileTypeShape>;
export type FileKind = FileType["headers"];

export const HtmlInfoShape = z
  .object({
    title: z.string().describe("Title of the page"),
    description: z.string().describe("What the page says about itself to search engines"),
    keywords: z.string().describe("Its keywords for search engines"),
    lang: z.string().describe("Language that the page names"),
    charset: z.string().describe("Encoding of the page"),
    generator: z.string().describe("Program that made the page, by its own word"),
    favicon_url: nullable.describe("Address of its icon"),
    canonical_url: nullable.describe("Address that the page calls its own"),
    is_empty: z.boolean().describe("Whether a reader sees next to nothing"),
    text_bytes: z.int().describe("Octets of text that a reader sees"),
    meta_robots: z.string().describe("What the page says to search engines"),
    has_meta_refresh: z.boolean().describe("Whether the page sends its reader on by itself"),
    links_count: z.int().describe("Links of the page"),
    external_links_count: z.int().describe("Links to other hosts"),
    iframes_count: z.int().describe("Frames of the page"),
    scripts_count: z.int().describe("Scripts of the page"),
  })
  .meta({ id: "HtmlInfo" });
export type HtmlInfo = Wire<typeof HtmlInfoShape>;

export const HtmlFormsShape = z
  .object({
    number_of_total_forms: z.int().describe("Forms of the page"),
    number_of_total_input_fields: z.int().describe("Fields of all forms"),
    two_text_inputs_in_a_form: z.boolean().describe("Whether a form has two fields of text"),
    credit_card_field_present: z.boolean().describe("Whether there is a field for a card number"),
    password_field_present: z.boolean().describe("Whether there is a field for a password"),
    email_field_present: z.boolean().describe("Whether there is a field for an e-mail address"),
    phone_field_present: z.boolean().describe("Whether there is a field for a telephone number"),
    otp_field_present: z.boolean().describe("Whether there is a field for a one-time code"),
    file_field_present: z.boolean().describe("Whether there is a field for a file"),
    external_action: z.boolean().describe("Whether a form sends to another host"),
    insecure_action: z.boolean().describe("Whether a form sends without TLS"),
    actions: z.array(z.string()).describe("Where the forms send to"),
  })
  .meta({ id: "HtmlForms", description: "Forms of the page" });
export type HtmlForms = Wire<typeof HtmlFormsShape>;
