import { version } from "flag-icons/package.json";
import { Nothing } from "./known.tsx";
import { Outside } from "./outside.tsx";

/** The flag of an ISO 3166-1 alpha-2 code, as this service's own picture; nothing for anything else. */
export function Flag({ code }: { code: string }) {
  if (!/^[A-Z]{2}$/.test(code)) return null;
  return (
    <img
      className="flag"
      src={`${FLAGS}${code.toLowerCase()}.svg`}
      alt=""
      width={20}
      height={15}
      loading="lazy"
    />
  );
}

/** Named with the version of the pictures: they never change under one name. */
const FLAGS = `/assets/flag-${version}-`;

type Props = { code: string; country: string; region?: string; city?: string; accuracy?: string };

/** Flag, city, region and country, as far as they are known. */
export function Place({ code, country, region = "", city = "", accuracy }: Props) {
  const parts = [city, region === city ? "" : region, country || code].filter((part) => part !== "");
  if (parts.length === 0) return <Nothing />;
  return (
    <span className="place">
      <Flag code={code} />
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
    <p className="geography-credit source">
      <a href="https://db-ip.com">IP Geolocation by DB-IP</a>
    </p>
  );
}
