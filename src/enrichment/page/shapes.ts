import { z } from "zod";
import { nullable, type Wire } from "../../wire.ts";

/** Kinds of files that a report tells apart (design 7.2). */
const kind = z.enum([
  "HTML",
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
  "SCRIPT",
  "IMAGE",
  "TEXT",
  "JSON",
  "UNKNOWN",
  "",
]);

/** What a file is by its name, by what the server says and by its first octets. */
export const FileTypeShape = z
  .object({
    extension: kind.describe("By the path"),
    headers: kind.describe("By the content type"),
    signature: kind.describe("By the first octets"),
    mismatch: z.boolean().describe("The octets contradict name or server, save harmless pairs"),
  })
  .meta({ id: "FileType" });
export type FileType = Wire<typeof FileTypeShape>;
export type FileKind = FileType["headers"];

export const HtmlInfoShape = z
  .object({
    title: z.string(),
    description: z.string(),
    keywords: z.string(),
    lang: z.string(),
    charset: z.string(),
    generator: z.string(),
    favicon_url: nullable,
    canonical_url: nullable,
    is_empty: z.boolean(),
    text_bytes: z.int(),
    meta_robots: z.string(),
    has_meta_refresh: z.boolean(),
    links_count: z.int(),
    external_links_count: z.int(),
    iframes_count: z.int(),
    scripts_count: z.int(),
  })
  .meta({ id: "HtmlInfo" });
export type HtmlInfo = Wire<typeof HtmlInfoShape>;

export const HtmlFormsShape = z
  .object({
    number_of_total_forms: z.int(),
    number_of_total_input_fields: z.int(),
    two_text_inputs_in_a_form: z.boolean(),
    credit_card_field_present: z.boolean(),
    password_field_present: z.boolean(),
    email_field_present: z.boolean(),
    phone_field_present: z.boolean(),
    otp_field_present: z.boolean(),
    file_field_present: z.boolean(),
    external_action: z.boolean(),
    insecure_action: z.boolean(),
    actions: z.array(z.string()),
  })
  .meta({ id: "HtmlForms" });
export type HtmlForms = Wire<typeof HtmlFormsShape>;
