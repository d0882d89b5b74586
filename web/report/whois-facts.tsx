import type { WhoisAsnReport, WhoisContact, WhoisDomainReport, WhoisIpReport } from "../api/types.gen.ts";
import { Fact, Facts } from "./facts.tsx";
import { keyed } from "./keyed.ts";
import { HostLink, LookupLink, OutsideLink } from "./links.tsx";
import { Day } from "./moment.tsx";
import { words } from "./numbers.ts";
import { Mono, Outside, Unknown } from "./outside.tsx";

/** Who registered a domain, with whom, and how it stands. */
export function DomainFacts({ whois }: { whois: WhoisDomainReport }) {
  return (
    <Facts>
      <Fact name="Registered domain">
        {whois.registered_domain === null ? (
          <Unknown />
        ) : (
          <LookupLink kind="domain" value={whois.registered_domain} />
        )}
      </Fact>
      <Fact name="Registrar">
        {whois.registrar !== null && whois.registrar_url !== null ? (
          <OutsideLink href={whois.registrar_url}>{whois.registrar}</OutsideLink>
        ) : (
          <Outside text={whois.registrar} most={120} />
        )}
      </Fact>
      <Fact name="Abuse contact">
        {whois.registrar_abuse_email === null ? (
          <Unknown />
        ) : (
          <LookupLink kind="email" value={whois.registrar_abuse_email} />
        )}
      </Fact>
      <Fact name="Registrant">
        <Registrant whois={whois} />
      </Fact>
      <Fact name="Last change">
        <Day at={whois.updated_date} />
      </Fact>
      <Fact name="Status">
        <Words texts={whois.status} />
      </Fact>
      <Fact name="Name servers">
        <HostList hosts={whois.name_servers} />
      </Fact>
      <Fact name="DNSSEC">{whois.dnssec_status === null ? <Unknown /> : words(whois.dnssec_status)}</Fact>
    </Facts>
  );
}

function Registrant({ whois }: { whois: WhoisDomainReport }) {
  const parts = [
    whois.registrant_name,
    whois.registrant_organization,
    whois.registrant_state,
    whois.registrant_country,
  ].filter((part) => part !== null && part !== "");
  return (
    <>
      {parts.length === 0 ? <Unknown /> : <Outside text={parts.join(", ")} most={200} />}
      {whois.privacy_protected === true ? <span className="muted"> (redacted)</span> : null}
    </>
  );
}

function Words({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return <Unknown />;
  return <Outside text={texts.slice(0, 20).join(", ")} />;
}

/** Hosts under one another, each a link. */
export function HostList({ hosts }: { hosts: readonly string[] }) {
  if (hosts.length === 0) return <Unknown />;
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
      <Fact name="Holder">
        <Outside text={whois.organization} most={160} />
      </Fact>
      <Fact name="Country">
        <Outside text={whois.country} most={60} />
      </Fact>
      <Fact name="Registry">{whois.registry === null ? <Unknown /> : whois.registry.toUpperCase()}</Fact>
      <Fact name="Handle">
        <Mono text={whois.handle} most={80} />
      </Fact>
      <Fact name="Abuse contact">
        {whois.abuse_email === null ? <Unknown /> : <LookupLink kind="email" value={whois.abuse_email} />}
      </Fact>
      <Fact name="Status">
        <Words texts={whois.status} />
      </Fact>
    </Facts>
  );
}

function NetworkFacts({ whois }: { whois: WhoisIpReport }) {
  return (
    <>
      <Fact name="Network">
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
      <Fact name="Name">
        <Outside text={whois.network_name} most={120} />
      </Fact>
      <Fact name="Range">
        <Mono text={whois.start_address} most={60} /> to <Mono text={whois.end_address} most={60} />
      </Fact>
    </>
  );
}

function AsnFacts({ whois }: { whois: WhoisAsnReport }) {
  return (
    <>
      <Fact name="AS number">
        <Mono text={whois.asn === null ? null : `AS${whois.asn}`} />
      </Fact>
      <Fact name="Name">
        <Outside text={whois.asn_name} most={120} />
      </Fact>
    </>
  );
}

type ContactsProps = {
  readonly contacts: readonly WhoisContact[];
  /** Whether the registry answered: only then does an empty list say something. */
  readonly isAnswered: boolean;
};

/** The people and posts that a registry names. */
export function Contacts({ contacts, isAnswered }: ContactsProps) {
  if (!isAnswered) return <Unknown>unknown: the registry gave no answer</Unknown>;
  if (contacts.length === 0) return <p className="muted">The registry names nobody.</p>;
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
