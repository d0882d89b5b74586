import { Check, Flag } from "lucide-react";
import type { SecurityChecks } from "../api/types.gen.ts";
import { count, counted, sentence, words } from "./numbers.ts";

type Name = keyof SecurityChecks;

/** Checks that are good news when they hold. */
const GOOD: ReadonlySet<Name> = new Set([
  "is_url_accessible",
  "is_valid_https",
  "is_domain_ipv4_assigned",
  "is_domain_ipv4_valid",
]);

/** Words that are written in capitals. */
const CAPITALS = /\b(url|https?|tld|exe|elf|apk|zip|php|pdf|html|ms)\b/g;

const nameOf = (name: string): string =>
  sentence(
    words(name.replace(/^(is|has)_/, ""))
      .replace(CAPITALS, (word) => word.toUpperCase())
      .replaceAll("ipv", "IPv"),
  );

/** Path of the checks among a report's unknown fields. */
const PATH = "report.security_checks.";

/**
 * What was looked at in a URL: what fired first, then what is as it should be, then the rest with a count. What could
 * not be looked at is counted apart: it did not fire, but not because all was well.
 */
export function Checks({ checks, unknown }: { checks: SecurityChecks; unknown: readonly string[] }) {
  const missing = unknown.flatMap((path) => (path.startsWith(PATH) ? path.slice(PATH.length) : []));
  const entries = Object.entries(checks).filter(([name]) => !missing.includes(name));
  const isGood = (name: string): boolean => [...GOOD].some((good) => good === name);
  const fired = entries.filter(([name, holds]) => holds && !isGood(name));
  const well = entries.filter(([name, holds]) => holds && isGood(name));
  const rest = entries.filter(([, holds]) => !holds);
  return (
    <>
      <p className="muted">{summaryOf(fired.length, well.length, entries.length, missing.length)}</p>
      <ul className="checks">
        {fired.map(([name]) => (
          <li key={name} className="check-fired">
            <Flag aria-hidden="true" className="inline-icon" /> {nameOf(name)}
          </li>
        ))}
        {well.map(([name]) => (
          <li key={name} className="check-well">
            <Check aria-hidden="true" className="inline-icon" /> {nameOf(name)}
          </li>
        ))}
      </ul>
      <Fold title={`${counted(rest.length, "check")} did not fire`} names={rest.map(([name]) => name)} />
      <Fold title={`${counted(missing.length, "check")} could not be made`} names={missing} />
    </>
  );
}

function summaryOf(fired: number, well: number, made: number, missing: number): string {
  const found = fired === 0 ? "None" : count(fired);
  const good = well === 0 ? "" : `, ${well === 1 ? "1 is a good sign" : `${count(well)} are good signs`}`;
  if (missing === 0) return `${found} of ${counted(made, "check")} fired${good}.`;
  return `${found} of the ${counted(made, "check")} that could be made fired${good}; ${count(missing)} could not be made.`;
}

function Fold({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <details className="fold">
      <summary>{title}</summary>
      <ul className="columns muted">
        {names.map((name) => (
          <li key={name}>{nameOf(name)}</li>
        ))}
      </ul>
    </details>
  );
}
