import { countOf } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { endpointName } from "../words.ts";
import type { Key } from "./key.ts";
import "./keys.css";

type KeyLimitsProps = { readonly apiKey: Key };

/** What limits a key, in words; its end only while it works. */
export function KeyLimits({ apiKey: { state, expires_at: end, networks, products } }: KeyLimitsProps) {
  const isEnding = state === "active" && end !== null;
  if (!isEnding && networks === null && products === null) return <span className="muted">None</span>;
  return (
    <ul className="key-limits-list">
      {isEnding && (
        <li>
          Expires <RelativeTime time={end} />
        </li>
      )}
      {networks !== null && (
        <li>
          <Networks networks={networks} />
        </li>
      )}
      {products !== null && <li>Only {products.map(endpointName).join(", ")}</li>}
    </ul>
  );
}

// More of them are folded away.
const NETWORKS_IN_SIGHT = 2;

function Networks({ networks }: { readonly networks: readonly string[] }) {
  const all = networks.map((network, at) => (
    <span key={network}>
      {at > 0 && ", "}
      <code>{network}</code>
    </span>
  ));
  if (networks.length <= NETWORKS_IN_SIGHT) return <>From {all}</>;
  return (
    <details>
      <summary>From {countOf(networks.length, "network")}</summary>
      {all}
    </details>
  );
}
