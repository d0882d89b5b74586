import { ALL_CHECKS, type CheckName } from "./all.ts";
import type { SecurityChecks } from "./checks.ts";
import type { UrlEvidence } from "./evidence.ts";

/** A check that adds to the score; what `risk/` calls a signal. */
export type CheckSignal = { readonly name: string; readonly strength: number; readonly reason: string };

/** Checks that say one thing, so that of each row the strongest alone is a signal; of equals the one that stands first. */
export const SAME_FACT: readonly (readonly CheckName[])[] = [
  // The target is a program, whether its octets or its name say so.
  [
    "is_windows_exe_file_on_ipv4",
    "is_windows_exe_file_on_free_hosting",
    "is_windows_exe_file_on_free_dynamic_dns",
    "is_masked_windows_exe_file",
    "is_linux_elf_file_on_ipv4",
    "is_linux_elf_file_on_free_hosting",
    "is_linux_elf_file_on_free_dynamic_dns",
    "is_masked_linux_elf_file",
    "is_android_apk_file_on_ipv4",
    "is_android_apk_file_on_free_hosting",
    "is_android_apk_file_on_free_dynamic_dns",
    "is_masked_file",
    "is_windows_exe_file",
    "is_linux_elf_file",
    "is_android_apk_file",
    "is_uncommon_clickable_url",
    "is_suspicious_file_extension",
  ],
  // Where it is.
  [
    "is_windows_exe_file_on_ipv4",
    "is_linux_elf_file_on_ipv4",
    "is_android_apk_file_on_ipv4",
    "is_host_an_ipv4",
  ],
  [
    "is_windows_exe_file_on_free_hosting",
    "is_linux_elf_file_on_free_hosting",
    "is_android_apk_file_on_free_hosting",
    "is_free_hosting",
  ],
  [
    "is_windows_exe_file_on_free_dynamic_dns",
    "is_linux_elf_file_on_free_dynamic_dns",
    "is_android_apk_file_on_free_dynamic_dns",
    "is_free_dynamic_dns",
  ],
  ["is_exe_on_directory_listing", "is_directory_listing"],
  [
    "is_zip_on_directory_listing",
    "is_php_on_directory_listing",
    "is_doc_on_directory_listing",
    "is_pdf_on_directory_listing",
    "is_apk_on_directory_listing",
    "is_directory_listing",
  ],
  ["is_domain_very_recent", "is_domain_recent"],
  ["is_homoglyph_host", "is_suspicious_domain"],
];

/** The signals of a URL's score, strongest first. Source: design 7.4; no signal of 4.4 counts for a URL. */
export function urlSignals(checks: SecurityChecks, evidence: UrlEvidence): readonly CheckSignal[] {
  const kept: CheckName[] = [];
  return held(checks).flatMap(({ name, strength, reason }) => {
    if (SAME_FACT.some((row) => row.includes(name) && kept.some((other) => row.includes(other)))) return [];
    kept.push(name);
    return [
      {
        name: name.replace(/^is_/, ""),
        strength,
        reason: typeof reason === "string" ? reason : reason(evidence),
      },
    ];
  });
}

/** Checks that hold and have a strength, strongest first, of equals the one that stands first in the rows above. */
function held(checks: SecurityChecks) {
  const order = SAME_FACT.flat();
  return ALL_CHECKS.flatMap(({ name, strength, reason }) =>
    strength !== null && checks[name] === true ? [{ name, strength, reason }] : [],
  ).sort((a, b) => b.strength - a.strength || order.indexOf(a.name) - order.indexOf(b.name));
}
