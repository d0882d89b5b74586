import querystring from "node:querystring";

/** Whether a database's URL names PostgreSQL: `postgres://…` or `postgresql://…`; all else is a SQLite file. */
export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//i.test(url);

/** What the driver knows; it takes any other word for one of them. */
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
/** The driver checks the server's certificate and name for these too, and warns on standard error that a later version may not. */
const VERIFYING_MODES = ["prefer", "require", "verify-ca"];

/** What should stand in a URL of PostgreSQL in place of what cannot be used; null: it can be used. */
export function postgresUrlFault(url: string): string | null {
  if (namesHosts(url)) return "one host, whose address leads to the primary also after a failover";
  if (!isReadable(url)) {
    return "postgres://USER:PASSWORD@HOST:PORT/DATABASE with %2F, %3F, %23, %40 and %25 for / ? # @ and % in the password";
  }
  const mode = parametersOf(url)["sslmode"];
  return mode === undefined || SSL_MODES.includes(String(mode))
    ? null
    : `one of ${SSL_MODES.join(", ")} for sslmode`;
}

/** The URL for the driver: sslmode as it takes it, without its warning. */
export function driverUrl(url: string): string {
  const { sslmode, uselibpqcompat } = parametersOf(url);
  if (uselibpqcompat === "true" || !VERIFYING_MODES.includes(String(sslmode))) return url;
  return url.replace(`sslmode=${String(sslmode)}`, "sslmode=verify-full");
}

/** libpq and the driver also take a URL without a host, whose parameter `host` names a folder with a socket. */
const isReadable = (url: string): boolean =>
  isPostgresUrl(url) && (URL.canParse(url) || URL.canParse(url.replace("@/", "@localhost/")));

/** libpq tries several hosts one after the other; the driver takes them for the name of one. A password may have commas. */
function namesHosts(url: string): boolean {
  const [, authority = "", path = ""] = /^\w+:\/\/([^/?#]*)([^?]*)/.exec(url) ?? [];
  // A password with an unescaped slash, which is another fault.
  if (!authority.includes("@") && path.includes("@")) return false;
  const hosts = [authority.slice(authority.lastIndexOf("@") + 1), parametersOf(url)["host"] ?? ""].flat();
  return hosts.some((host) => host.includes(","));
}

const parametersOf = (url: string) =>
  querystring.parse(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
