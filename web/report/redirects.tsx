import { ArrowDown, Ban, Lock, LockOpen } from "lucide-react";
import type { UrlRedirection } from "../api/types.gen.ts";
import { keyed } from "./keyed.ts";
import { Unknown } from "./known.tsx";
import { HostLink, LookupLink } from "./links.tsx";
import { counted } from "./numbers.ts";
import { Mono } from "./outside.tsx";

type Stop = {
  readonly url: string;
  readonly status: number | null;
  readonly ip: string;
  readonly tls: string | null;
  readonly elapsedMs: number | null;
  /** The redirect that leads there; null of the URL asked. */
  readonly by: Hop | null;
};

type Hop = UrlRedirection["hops"][number];

type Props = { redirection: UrlRedirection; url: string; last: Omit<Stop, "url" | "by"> };

/** The way from the URL to where it ends, with status, address and encryption of each stop. */
export function RedirectPath({ redirection: { hops, final_url: final }, last }: Props) {
  const stops: readonly Stop[] = [
    ...hops.map(({ url, status, ip, tls, elapsed_ms: elapsedMs }, i) => ({
      ...{ url, status, ip, tls, elapsedMs },
      by: hops[i - 1] ?? null,
    })),
    { url: final, by: hops.findLast(({ location }) => location === final) ?? null, ...last },
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
              {stop.by === null ? null : <Listed hop={stop.by} />}
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Whether lists name where a redirect leads. */
function Listed({ hop: { detections, listed_by: listed } }: { hop: Hop }) {
  if (detections === 0) return null;
  const isUrl = listed.some(({ level }) => level === "url");
  return (
    <p className="path-listed">
      <Ban aria-hidden="true" className="inline-icon" />{" "}
      {isUrl ? "redirects to a listed URL" : "redirects to a listed host"} ({counted(detections, "engine")})
    </p>
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
