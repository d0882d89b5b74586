import type { ProductWord } from "../api/products.ts";
import { useReportEnvironment } from "./environment.tsx";
import { Nothing } from "./known.tsx";
import { plain } from "./outside-text.ts";

/** A value that leads to its own report. */
export function LookupLink({
  kind,
  value,
  children,
}: {
  kind: ProductWord;
  value: string;
  children?: string;
}) {
  const { hrefOf, costOf } = useReportEnvironment();
  if (value === "") return <Nothing />;
  return (
    <a
      className={children === undefined ? "lookup-link mono" : "lookup-link"}
      href={hrefOf(kind, value)}
      title={costOf?.(kind)}
      translate={children === undefined ? "no" : undefined}
    >
      <bdi>{plain(children ?? value, 160)}</bdi>
    </a>
  );
}

/** An AS number, "AS64500", that leads to its registration. */
function AsnLink({ asn }: { asn: string }) {
  return <LookupLink kind="whois" value={asn} />;
}

/** The network behind an address: its AS number and its holder, as far as they are known. */
export function NetworkName({ asn, holder }: { asn: string; holder: string }) {
  if (asn === "" && holder === "") return <Nothing />;
  return (
    <>
      {asn === "" ? null : <AsnLink asn={asn} />} <bdi>{plain(holder, 120)}</bdi>
    </>
  );
}

/** A page of others; anything but http and https is only shown. */
export function OutsideLink({ href, children }: { href: string; children: string }) {
  if (!/^https?:\/\//i.test(href)) return <bdi>{plain(children)}</bdi>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      <bdi>{plain(children)}</bdi>
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

/** Whether a host of others may be looked up as a name rather than an address. */
const isAddress = (host: string): boolean => host.includes(":") || /^[\d.]+$/.test(host);

/** A host, be it a name or an address. */
export function HostLink({ host }: { host: string }) {
  return <LookupLink kind={isAddress(host) ? "ip" : "domain"} value={host} />;
}
