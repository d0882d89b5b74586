import { Outside, Unknown } from "./outside.tsx";

/** The flag of an ISO 3166-1 alpha-2 code as an emoji; empty for anything else. */
export function flagOf(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return "";
  return String.fromCodePoint(...[...code].map((letter) => REGIONAL_A + letter.charCodeAt(0) - A));
}

const REGIONAL_A = 0x1f1e6;
const A = 65;

type Props = { code: string; country: string; region?: string; city?: string; accuracy?: string };

/** Flag, city, region and country, as far as they are known. */
export function Place({ code, country, region = "", city = "", accuracy }: Props) {
  const parts = [city, region === city ? "" : region, country || code].filter((part) => part !== "");
  if (parts.length === 0) return <Unknown />;
  return (
    <span className="place">
      {flagOf(code) === "" ? null : (
        <span className="flag" aria-hidden="true">
          {flagOf(code)}
        </span>
      )}
      <span>
        <Outside text={parts.join(", ")} most={120} />
        {accuracy === undefined || accuracy === "none" ? null : <span className="muted"> ({accuracy})</span>}
      </span>
    </span>
  );
}

/** The visible link that the geography's licence asks for; stands wherever its places are shown. */
export function GeographyCredit() {
  return (
    <p className="geography-credit">
      <a href="https://db-ip.com">IP Geolocation by DB-IP</a>
    </p>
  );
}
