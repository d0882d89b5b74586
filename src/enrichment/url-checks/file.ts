import { isSiteKnown, ofResponse, shown, signal } from "./check.ts";
import type { UrlEvidence } from "./evidence.ts";

const isPe = ({ fileType }: UrlEvidence): boolean => fileType.signature === "PE";
const isElf = ({ fileType }: UrlEvidence): boolean => fileType.signature === "ELF";
const isApk = ({ fileType }: UrlEvidence): boolean => fileType.signature === "APK";
const isMasked = ({ fileType }: UrlEvidence): boolean => fileType.mismatch;

/** Where the file came from is where the way ended. */
const isOnIpv4 = ({ finalHost }: UrlEvidence): boolean =>
  finalHost.kind === "ip" && finalHost.ip.version === "v4";

/** Installers are of the same container as old Office files. */
const isOffice = ({ fileType: { signature, extension, headers }, finalUrl }: UrlEvidence): boolean =>
  signature === "OOXML" ||
  (signature === "OLE" &&
    (extension === "OLE" || headers === "OLE") &&
    !/\.ms[ip]$/i.test(finalUrl.pathname));

type FileTest = (evidence: UrlEvidence) => boolean;

const all =
  (...tests: readonly FileTest[]) =>
  (evidence: UrlEvidence): boolean =>
    tests.every((test) => test(evidence));

/** Whether a kind of file comes from a kind of site, and whether that can be said: of other files it always can. */
const from =
  (field: "is_free_hosting" | "is_free_dynamic_dns") =>
  (isKind: FileTest): readonly [holds: FileTest, isKnown: FileTest] => [
    (evidence) => isKind(evidence) && evidence.finalSite[field],
    (evidence) =>
      !isKind(evidence) ||
      isSiteKnown(field)({ ...evidence, site: evidence.finalSite, host: evidence.finalHost }),
  ];
const hosted = from("is_free_hosting");
const dynamic = from("is_free_dynamic_dns");

/** What makes a program worse: the kind of place that it comes from. */
const fromPlaces = <Name extends string>(name: Name, strength: number, what: string, isKind: FileTest) => [
  signal(`${name}_on_ipv4`, strength, `${what} from a bare address`, all(isKind, isOnIpv4)),
  signal(`${name}_on_free_hosting`, strength, `${what} from free hosting`, ...hosted(isKind)),
  signal(`${name}_on_free_dynamic_dns`, strength, `${what} from a dynamic-DNS name`, ...dynamic(isKind)),
];

/** Design 7.4, File: what the octets of the last response are. */
export const FILE_CHECKS = ofResponse([
  signal(
    "is_masked_file",
    0.4,
    ({ fileType }) => `The file is ${fileType.signature}, which its name or its type denies`,
    isMasked,
  ),
  shown("is_ms_office_file", isOffice),
  signal("is_windows_exe_file", 0.3, "Delivers a Windows program", isPe),
  signal(
    "is_masked_windows_exe_file",
    0.6,
    "Delivers a Windows program under a false name or type",
    all(isPe, isMasked),
  ),
  ...fromPlaces("is_windows_exe_file", 0.6, "Delivers a Windows program", isPe),
  signal("is_linux_elf_file", 0.3, "Delivers a Linux program", isElf),
  signal(
    "is_masked_linux_elf_file",
    0.6,
    "Delivers a Linux program under a false name or type",
    all(isElf, isMasked),
  ),
  ...fromPlaces("is_linux_elf_file", 0.6, "Delivers a Linux program", isElf),
  signal("is_android_apk_file", 0.25, "Delivers an Android app", isApk),
  ...fromPlaces("is_android_apk_file", 0.5, "Delivers an Android app", isApk),
]);
