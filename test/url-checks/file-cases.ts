import { type Case, file, type Pair } from "./lab.ts";

const octets = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );

const PADDING = new Array<number>(80).fill(0);
const PE = octets("MZ", [0x90, 0, 3, 0, 0, 0], PADDING);
const ELF = octets([0x7f], "ELF", [2, 1, 1, 0], PADDING);
const APK = octets("PK", [3, 4], PADDING, "AndroidManifest.xml", PADDING, "classes.dex");
const ZIP = octets("PK", [3, 4], PADDING, "notes.txt");
const DOCX = octets("PK", [3, 4], PADDING, "[Content_Types].xml", PADDING, "word/document.xml");
const OLE = octets([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], PADDING);

/** Files by what they are, for other tables too. */
export const FILES = { PE, ELF, APK, ZIP, DOCX, OLE } as const;

const HONEST = "application/octet-stream";
const ADDRESS = "http://127.0.0.1/";
const HOSTED = "http://me.free-host.example/";
const DYNAMIC = "http://home.dyn.example/";
const PLAIN = "http://www.shop.example/";

const on = (site: string, body: Buffer, type = HONEST): Case => file(body, { url: `${site}get`, type });

/** The three places of one kind of file, each near-missed by another place. */
const places = (body: Buffer) => ({
  ipv4: { hit: on(ADDRESS, body), miss: on(HOSTED, body) },
  hosting: { hit: on(HOSTED, body), miss: on(DYNAMIC, body) },
  dynamic: { hit: on(DYNAMIC, body), miss: on(PLAIN, body) },
});
const pe = places(PE);
const elf = places(ELF);
const apk = places(APK);

/** Design 7.4, File. */
export const FILE_CASES = {
  is_masked_file: {
    hit: file(ZIP, { url: `${PLAIN}photo.jpg`, type: "image/jpeg" }),
    miss: file(DOCX, { url: `${PLAIN}report.docx`, type: "application/zip" }),
  },
  is_ms_office_file: {
    hit: file(DOCX, { url: `${PLAIN}report.docx` }),
    miss: file(OLE, { url: `${PLAIN}setup.msi`, type: "application/x-msi" }),
  },
  is_windows_exe_file: {
    hit: on(PLAIN, PE),
    miss: file("MZ is a short text that begins with MZ", { url: PLAIN }),
  },
  is_masked_windows_exe_file: {
    hit: file(PE, { url: `${PLAIN}invoice.pdf`, type: "application/pdf" }),
    miss: file(PE, { url: `${PLAIN}setup.exe`, type: "text/plain" }),
  },
  is_windows_exe_file_on_ipv4: pe.ipv4,
  is_windows_exe_file_on_free_hosting: pe.hosting,
  is_windows_exe_file_on_free_dynamic_dns: pe.dynamic,
  is_linux_elf_file: { hit: on(PLAIN, ELF), miss: file("ELF: the format", { url: `${PLAIN}about.elf` }) },
  is_masked_linux_elf_file: {
    hit: file(ELF, { url: `${PLAIN}pixel.png`, type: "image/png" }),
    miss: file(ELF, { url: `${PLAIN}lib.so`, type: HONEST }),
  },
  is_linux_elf_file_on_ipv4: elf.ipv4,
  is_linux_elf_file_on_free_hosting: elf.hosting,
  is_linux_elf_file_on_free_dynamic_dns: elf.dynamic,
  is_android_apk_file: { hit: on(PLAIN, APK), miss: on(PLAIN, ZIP) },
  is_android_apk_file_on_ipv4: apk.ipv4,
  is_android_apk_file_on_free_hosting: apk.hosting,
  is_android_apk_file_on_free_dynamic_dns: apk.dynamic,
} satisfies Record<string, Pair>;
