import { setFlagsFromString } from "node:v8";

/**
 * Lets garbage come to as much as what lives before all of it is collected, and counts what lies outside of the heap, such as the
 * octets of pages, towards that alone. By V8's own rules, made for programs with a small heap, a few strangers' pages of some
 * megabytes have everything collected several times a second, each time for 10 to 25 ms. Source: decision 0034.
 */
export function collectRarely(): void {
  setFlagsFromString("--heap-growing-percent=100");
  setFlagsFromString("--external-memory-accounted-in-global-limit");
}
