const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

const SHOWN = 60;

/** "Firefox on Linux", as far as the header of a browser tells; anything else as it is, cut. */
export function browserOf(userAgent: string): string {
  const nameIn = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent.slice(0, SHOWN);
  return system === undefined ? browser : `${browser} on ${system}`;
}
