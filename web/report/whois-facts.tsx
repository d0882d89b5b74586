import { FROM_SUFFIXES, fromDnsAt } from "../api/sources.gen.ts";
import type { WhoisAsnReport, WhoisContact, WhoisDomainReport, WhoisIpReport } from "../api/types.gen.ts";
import { DNSSEC_WORDS } from "../api/words.gen.ts";
import { Fact, Facts } from "./facts.tsx";
import { keyed } from "./keyed.ts";
import { Nothing, Unknown, useIsUnknown } from "./known.tsx";
import { HostLink, LookupLink, OutsideLink } from "./links.tsx";
import { Day } from "./moment.tsx";
import { Mono, Outside } from "./outside.tsx";

/** Registrant, registrar and state of a domain. */
export function DomainFacts({ whois }: { whois: WhoisDomainReport }) {
  return (
    <Facts>
      <Fact name="Registered domain" from={FROM_SUFFIXES}>
        {whois.registered_domain === null ? (
          <Nothing />
        ) : (
          <LookupLink kind="domain" value={whois.registered_domain} />
        )}
      </Fact>
      <Fact name="Registrar" of="registrar">
        <Registrar whois={whois} />
      </Fact>
      <Fact name="Abuse contact" of="registrar_abuse_email">
        {whois.registrar_abuse_email === null ? (
          <Nothing />
        ) : (
          <LookupLink kind="email" value={whois.registrar_abuse_email} />
        )}
      </Fact>
      <Fact name="Registrant" of={REGISTRANT}>
        <Registrant whois={whois} />
      </Fact>
      <Fact name="Redacted" of="privacy_protected">
        {whois.privacy_protected === null ? <Nothing /> : whois.privacy_protected ? "yes" : "no"}
      </Fact>
      <Fact name="Last change" of="updated_date">
        <Day at={whois.updated_date} />
      </Fact>
      <Fact name="Status" of="status">
        <Words texts={whois.status} />
      </Fact>
      <Fact name="Name servers" of="name_servers">
        <HostList hosts={whois.name_servers} />
      </Fact>
      <Fact name="DNSSEC" of="dnssec_status" from={fromDnsAt(whois.dnssec_checked_at, whois.freshness)}>
        {whois.dnssec_status === null ? <Nothing /> : DNSSEC_WORDS[whois.dnssec_status]}
      </Fact>
    </Facts>
  );
}

function Registrar({ whois: { registrar, registrar_url: url } }: { whois: WhoisDomainReport }) {
  const isUrlUnknown = useIsUnknown()("registrar_url");
  if (registrar !== null && url !== null) return <OutsideLink href={url}>{registrar}</OutsideLink>;
  return (
    <>
      <Outside text={registrar} most={120} />
      {isUrlUnknown ? <span className="muted"> · website unknown</span> : null}
    </>
  );
}

const REGISTRANT = ["name", "organization", "state", "country"].map((part) => `registrant_${part}`);

function Registrant({ whois }: { whois: WhoisDomainReport }) {
  const parts = [
    whois.registrant_name,
    whois.registrant_organization,
    whois.registrant_state,
    whois.registrant_country,
  ].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? <Nothing /> : <Outside text={parts.join(", ")} most={200} />;
}

function Words({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return <Nothing />;
  return <Outside text={texts.slice(0, 20).join(", ")} />;
}

/** Hosts under one another, each a link. */
export function HostList({ hosts }: { hosts: readonly string[] }) {
  if (hosts.length === 0) return <Nothing />;
  return (
    <ul className="plain-list">
      {hosts.slice(0, 12).map((host) => (
        <li key={host}>
          <HostLink host={host} />
        </li>
      ))}
      {hosts.length > 12 ? <li className="muted">and {hosts.length - 12} more</li> : null}
    </ul>
  );
}

/** Who holds a network or an AS number. */
export function NumberFacts({ whois }: { whois: WhoisIpReport | WhoisAsnReport }) {
  return (
    <Facts>
      {whois.type === "ip" ? <NetworkFacts whois={whois} /> : <AsnFacts whois={whois} />}
      <Fact name="Holder" of="organization">
        <Outside text={whois.organization} most={160} />
      </Fact>
      <Fact name="Country" of="country">
        <Outside text={whois.country} most={60} />
      </Fact>
      <Fact name="Registry" of="registry">
        {whois.registry === null ? <Nothing /> : whois.registry.toUpperCase()}
      </Fact>
      <Fact name="Handle" of="handle">
        <Mono text={whois.handle} most={80} />
      </Fact>
      <Fact name="Abuse contact" of="abuse_email">
        {whois.abuse_email === null ? <Nothing /> : <LookupLink kind="email" value={whois.abuse_email} />}
      </Fact>
      <Fact name="Status" of="status">
        <Words texts={whois.status} />
      </Fact>
    </Facts>
  );
}

function NetworkFacts({ whois }: { whois: WhoisIpReport }) {
  return (
    <>
      <Fact name="Network" of={["network", "cidrs"]}>
        {whois.cidrs.length === 0 ? (
          <Mono text={whois.network} most={100} />
        ) : (
          <ul className="plain-list">
            {whois.cidrs.slice(0, 8).map((cidr) => (
              <li key={cidr}>
                <LookupLink kind="whois" value={cidr} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Name" of="network_name">
        <Outside text={whois.network_name} most={120} />
      </Fact>
      <Fact name="Range" of={["start_address", "end_address"]}>
        {whois.start_address === null && whois.end_address === null ? (
          <Nothing />
        ) : (
          <>
            <Mono text={whois.start_address} most={60} /> to <Mono text={whois.end_address} most={60} />
          </>
        )}
      </Fact>
    </>
  );
}

function AsnFacts({ whois }: { whois: WhoisAsnReport }) {
  return (
    <>
      <Fact name="AS number" of="asn">
        <Mono text={whois.asn === null ? null : `AS${whois.asn}`} />
      </Fact>
      <Fact name="Name" of="asn_name">
        <Outside text={whois.asn_name} most={120} />
      </Fact>
    </>
  );
}

/** The people and posts that a registry names. */
export function Contacts({ contacts }: { contacts: readonly WhoisContact[] }) {
  if (useIsUnknown()("contacts")) return <Unknown>unknown: the registry gave no answer</Unknown>;
  if (contacts.length === 0) return <p className="muted">The registry publishes no contact.</p>;
  return (
    <ul className="contacts">
      {keyed(contacts.slice(0, 20), ({ handle }) => handle ?? "").map(({ key, item: contact }) => (
        <li key={key}>
          <h3>
            <Outside text={contact.name ?? contact.organization ?? contact.handle} most={120} />
          </h3>
          <p className="muted">
            <Outside text={contact.roles.join(", ")} most={80} />
          </p>
          {contact.emails.slice(0, 4).map((email) => (
            <p key={email}>
              <LookupLink kind="email" value={email} />
            </p>
          ))}
          {contact.phones.slice(0, 4).map((phone) => (
            <p key={phone}>
              <Mono text={phone} most={40} />
            </p>
          ))}
          {contact.address === null ? null : (
            <p className="muted">
              <Outside text={contact.address} most={200} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a registry adds in words. */
export function Remarks({ remarks }: { remarks: readonly string[] }) {
  if (useIsUnknown()("remarks")) return <Unknown />;
  if (remarks.length === 0) return <p className="muted">None.</p>;
  return keyed(remarks.slice(0, 10), (remark) => remark).map(({ key, item: remark }) => (
    <p key={key}>
      <Outside text={remark} most={600} />
    </p>
  ));
}
