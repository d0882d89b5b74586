import { Check, CircleMinus, CircleQuestionMark, X } from "lucide-react";
import type { ReactNode } from "react";
import { fromDnsAt } from "../api/sources.gen.ts";
import type { Dmarc, DomainDns, Freshness, Spf } from "../api/types.gen.ts";
import { DNSSEC_WORDS } from "../api/words.gen.ts";
import { useIsUnknown } from "./known.tsx";
import { counted, words } from "./numbers.ts";
import { Mono, Outside } from "./outside.tsx";
import { Sourced } from "./source.tsx";

/** Null is not known; `none` has nothing to be known of. */
type State = boolean | null | "none";

type Props = {
  /** The domain that mail comes from. */
  readonly name: string;
  readonly spf: Spf | null;
  readonly dmarc: Dmarc | null;
  readonly dns?: DomainDns;
  readonly freshness: Freshness;
  /** Whether the name exists, as far as is known: what does not exist publishes nothing by choice. */
  readonly isMissing: boolean;
};

/** SPF and DMARC, and where known MTA-STS and DNSSEC, as ticks with their records. */
export function MailSecurity({ name, spf, dmarc, dns, freshness, isMissing }: Props) {
  const isUnknown = useIsUnknown();
  const untold = (field: string): State => (isUnknown(field) ? null : "none");
  if (isMissing) return <MissingName names={dns === undefined ? MAIL : [...MAIL, "MTA-STS", "DNSSEC"]} />;
  return (
    <ul className="ticks">
      <Tick
        name="SPF"
        state={spf === null ? untold("spf") : good(spf.present, spf.valid)}
        record={spf?.record ?? null}
      >
        {spf === null && untold("spf") === "none"
          ? NOT_ASKED
          : spf === null || spf.present === null
            ? "unknown"
            : spfText(spf)}
        {spf?.errors.map((error) => (
          <span key={error}>
            {" · "}
            <Outside text={words(error)} most={80} />
          </span>
        ))}
      </Tick>
      <Tick
        name="DMARC"
        state={dmarc === null ? untold("dmarc") : good(dmarc.present, dmarc.valid)}
        record={dmarc?.record ?? null}
      >
        {dmarc === null && untold("dmarc") === "none"
          ? NOT_ASKED
          : dmarc === null || dmarc.present === null
            ? "unknown"
            : dmarcText(name, dmarc)}
      </Tick>
      {dns === undefined ? null : <DomainTicks dns={dns} freshness={freshness} />}
    </ul>
  );
}

/** Of an address that is not valid. */
const NOT_ASKED = "not looked up";
const MAIL = ["SPF", "DMARC"];

function MissingName({ names }: { names: readonly string[] }) {
  return (
    <ul className="ticks">
      {names.map((name) => (
        <Tick key={name} name={name} state="none" record={null}>
          the name does not exist
        </Tick>
      ))}
    </ul>
  );
}

type DomainTicksProps = { readonly dns: DomainDns; readonly freshness: Freshness };

function DomainTicks({ dns: { mta_sts_present: mtaSts, dnssec }, freshness }: DomainTicksProps) {
  const isPolicyUnknown = useIsUnknown()("dns.mta_sts_present");
  return (
    <>
      <Tick name="MTA-STS" state={isPolicyUnknown ? null : (mtaSts ?? "none")} record={null}>
        {isPolicyUnknown ? "unknown" : mtaSts === null ? NOT_ASKED : mtaSts ? "published" : "not published"}
      </Tick>
      <Tick
        name="DNSSEC"
        from={fromDnsAt(dnssec.checked_at, freshness)}
        state={dnssec.status === null ? null : dnssec.status === "secure"}
        record={
          dnssec.ds.map(({ key_tag: tag, algorithm }) => `DS ${tag} algorithm ${algorithm}`).join("; ") ||
          null
        }
      >
        {dnssec.status === null ? "unknown" : DNSSEC_WORDS[dnssec.status]}
      </Tick>
    </>
  );
}

const good = (present: boolean | null, valid: boolean | null): State =>
  present === null ? null : present && valid !== false;

function spfText({ present, valid, all, lookups }: Spf): string {
  if (present === false) return "no record";
  const rest = all === null ? "says nothing about others" : `others: ${all}`;
  const asked = lookups === null ? "" : `, ${counted(lookups, "lookup")}`;
  return `${valid === false ? "broken" : "valid"}, ${rest}${asked}`;
}

/** A record at the parent has a policy of its own for names below (RFC 7489, 6.3). */
function dmarcText(name: string, dmarc: Dmarc): string {
  const { present, valid, pct, from } = dmarc;
  if (present === false) return "no record";
  if (valid === false) return "broken";
  const policy = from === `_dmarc.${name}` ? dmarc.policy : dmarc.subdomain_policy;
  return `policy ${policy ?? "unknown"}${pct === null || pct === 100 ? "" : `, ${pct} % of mail`}`;
}

type TickProps = {
  readonly name: string;
  readonly state: State;
  readonly record: string | null;
  /** Where it comes from; by default as the section around it. */
  readonly from?: string;
  readonly children: ReactNode;
};

const TICKS = {
  true: { word: "yes", Icon: Check },
  false: { word: "no", Icon: X },
  null: { word: "unknown", Icon: CircleQuestionMark },
  none: { word: "none", Icon: CircleMinus },
} as const;

/** A sign, a name, what was found, and the record itself. */
export function Tick({ name, state, record, from, children }: TickProps) {
  const { word, Icon } = TICKS[`${state}`];
  return (
    <li className={`tick tick-${word}`}>
      <Icon aria-hidden="true" className="tick-icon" />
      <div>
        <p>
          <strong>
            <Sourced from={from}>{name}</Sourced>
          </strong>{" "}
          <span className="visually-hidden">{word}: </span>
          <span className="muted">{children}</span>
        </p>
        {record === null ? null : <Mono text={record} />}
      </div>
    </li>
  );
}
