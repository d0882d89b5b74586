import { ArrowDown, Lock, LockOpen } from "lucide-react";
import type { UrlRedirection } from "../api/types.gen.ts";
import { keyed } from "./keyed.ts";
import { HostLink, LookupLink } from "./links.tsx";
import { Mono, Unknown } from "./outside.tsx";

type Stop = {
  readonly url: string;
  readonly status: number | null;
  readonly ip: string;
  readonly tls: string | null;
  readonly elapsedMs: number | null;
};

type Props = { redirection: UrlRedirection; url: string; last: Omit<Stop, "url"> };

/** The way from the URL to where it ends, with status, address and encryption of each stop. */
export function RedirectPath({ redirection: { hops, final_url: final }, last }: Props) {
  const stops: readonly Stop[] = [
    ...hops.map(({ url, status, ip, tls, elapsed_ms: elapsedMs }) => ({ url, status, ip, tls, elapsedMs })),
    { url: final, ...last },
  ];
  return (
    <ol className="path">
      {keyed(stops, ({ url }) => url).map(({ key, item: stop }, i) => (
        <li key={key}>
          {i === 0 ? null : <ArrowDown aria-hidden="true" className="path-arrow" />}
          <div className="path-stop">
            <span className={`path-status path-status-${Math.floor((stop.status ?? 0) / 100)}`}>
              {stop.status ?? "no answer"}
            </span>
            <div>
              <LookupLink kind="url" value={stop.url} />
              <p className="muted path-about">
                {stop.ip === "" ? <Unknown>address unknown</Unknown> : <HostLink host={stop.ip} />}
                {" · "}
                <Encryption stop={stop} />
                {stop.elapsedMs === null ? "" : ` · ${stop.elapsedMs} ms`}
              </p>
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Encryption({ stop: { tls, url } }: { stop: Stop }) {
  const isOpen = url.startsWith("http:");
  const Icon = isOpen ? LockOpen : Lock;
  return (
    <span className="path-tls">
      <Icon aria-hidden="true" className="inline-icon" />{" "}
      {isOpen ? "not encrypted" : <Mono text={tls} most={40} />}
    </span>
  );
}
