import type { Certificate } from "../api/types.gen.ts";
import { NO_CERTIFICATE } from "../api/words.gen.ts";
import { Fact, Facts } from "./facts.tsx";
import { Unknown, useIsUnknown } from "./known.tsx";
import { HostLink } from "./links.tsx";
import { Tick } from "./mail-security.tsx";
import { Day } from "./moment.tsx";
import { count, counted } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { WithDetail } from "./with-detail.tsx";

type Props = {
  readonly certificate: Certificate | null;
  /** Whether a page came at all: without one, no certificate says nothing. */
  readonly isRead?: boolean;
};

/** The certificate that a server showed, and what is wrong with it. */
export function CertificateFacts({ certificate, isRead = true }: Props) {
  const isUnknown = useIsUnknown();
  if (certificate === null) {
    return isRead && !isUnknown("report.tls") ? (
      <p className="muted">None: the page came without encryption.</p>
    ) : (
      <Unknown>unknown: no page was read</Unknown>
    );
  }
  if (certificate.status !== "ok") {
    return (
      <p className="muted">
        None seen:{" "}
        <WithDetail words={NO_CERTIFICATE[certificate.status]} detail={certificate.error?.message} />
      </p>
    );
  }
  return (
    <>
      <ul className="ticks">
        <Tick name={certificate.valid ? "Valid" : "Not valid"} state={certificate.valid} record={null}>
          {faultsOf(certificate)}
        </Tick>
      </ul>
      <Facts>
        <Fact name="Issued by">
          <Outside text={certificate.issuer_name} most={120} />
        </Fact>
        <Fact name="Until">
          <Day at={certificate.valid_to} /> <span className="muted">{daysLeft(certificate.days_left)}</span>
        </Fact>
        <Fact name="Names">
          <Names certificate={certificate} />
        </Fact>
        <Fact name="Protocol">
          <Mono text={certificate.protocol} most={40} />
        </Fact>
        <Fact name="Key">
          {certificate.key_type === null ? (
            <Unknown />
          ) : (
            `${certificate.key_type} ${certificate.key_bits ?? ""}`
          )}
        </Fact>
      </Facts>
    </>
  );
}

const daysLeft = (days: number | null): string => {
  if (days === null) return "";
  return days < 0 ? `expired ${counted(-days, "day")} ago` : `${counted(days, "day")} left`;
};

function faultsOf(certificate: Certificate): string {
  const faults: readonly (readonly [boolean | null, string])[] = [
    [certificate.expired, "expired"],
    [certificate.not_yet_valid, "not valid yet"],
    [certificate.self_signed, "self-signed"],
    [certificate.hostname_match === false, "for another name"],
    [certificate.chain_valid === false, "chain not trusted"],
  ];
  const found = faults.filter(([holds]) => holds === true).map(([, fault]) => fault);
  return found.length === 0 ? "trusted, for this name, in date" : found.join(", ");
}

function Names({ certificate: { sans, sans_count: total } }: { certificate: Certificate }) {
  if (sans.length === 0) return <Unknown />;
  return (
    <ul className="plain-list">
      {sans.slice(0, 4).map((name) => (
        <li key={name}>
          {name.startsWith("*.") ? <Mono text={name} most={120} /> : <HostLink host={name} />}
        </li>
      ))}
      {(total ?? sans.length) > 4 ? (
        <li className="muted">and {count((total ?? sans.length) - 4)} more</li>
      ) : null}
    </ul>
  );
}
