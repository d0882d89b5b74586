import type { EngineDefinition } from "../engines/definitions.ts";
import { hostOfSource } from "../feeds/retrieval/failure-report.ts";
import type { Dialer } from "../net/dialer-types.ts";

/** One connection to a publisher that was tried. */
export type Attempt = {
  readonly host: string;
  readonly port: number;
  /** Null: it was opened. */
  readonly failure: { readonly detail: string; readonly isUnresolved: boolean } | null;
};

const TRIED_HOSTS = 3;

/** Some of the hosts that enabled lists are downloaded from, each once. */
export function hostsToTry(definitions: readonly EngineDefinition[]): readonly string[] {
  const hosts = definitions.flatMap(({ engine, feed }) => {
    const host = engine.disabled === null && feed !== null ? hostOfSource(feed) : null;
    return host === null ? [] : [host];
  });
  return [...new Set(hosts)].slice(0, TRIED_HOSTS);
}

/** Opens a TCP connection to each, all at once, and closes it. */
export const tryHosts = (
  hosts: readonly string[],
  { dialer, timeoutMs }: { readonly dialer: Pick<Dialer, "connect">; readonly timeoutMs: number },
): Promise<readonly Attempt[]> =>
  Promise.all(
    hosts.map(async (name): Promise<Attempt> => {
      const { hostname, port: number } = new URL(`https://${name}`);
      const [host, port] = [hostname, number === "" ? 443 : Number(number)];
      const connection = await dialer.connect({ host, port, isOperatorsWord: true, timeoutMs });
      if (connection.state === "answered") {
        connection.value.socket.destroy();
        return { host, port, failure: null };
      }
      const { detail, isUnresolved = false } = connection;
      return { host, port, failure: { detail, isUnresolved } };
    }),
  );

/** What was tried, over what, and how it ended; hosts that ended alike together. */
export const attemptsText = (attempts: readonly Attempt[], resolvers: string): string =>
  [...Map.groupBy(attempts, (attempt) => outcomeText(attempt, resolvers))]
    .map(([outcome, alike]) => `${alike.map(({ host }) => host).join(", ")}, ${outcome}`)
    .join("; ");

function outcomeText({ port, failure }: Attempt, resolvers: string): string {
  if (failure === null) return `TCP port ${port}: connected`;
  const { detail, isUnresolved } = failure;
  return isUnresolved ? `DNS question to ${resolvers}: ${detail}` : `TCP port ${port}: ${detail}`;
}

const WITHOUT_NETWORK =
  "Without a network the bundled data keeps answering, and lists can come from files: url: file:///… under engines.feeds. " +
  "docs/network.md lists every connection";

/** What to do where no connection could be opened. */
export function networkAdvice(attempts: readonly Attempt[], resolvers: string): string {
  const ports = [...new Set(attempts.map(({ port }) => port))].join(", ");
  const isNameless = attempts.every(({ failure }) => failure?.isUnresolved);
  const way = isNameless
    ? `Host names cannot be resolved: let the firewall pass UDP and TCP port 53 to ${resolvers}, or set dns.servers`
    : `Let the firewall pass outgoing TCP to port ${ports}: connections are direct, HTTPS_PROXY is not used`;
  return `${way}. ${WITHOUT_NETWORK}`;
}
