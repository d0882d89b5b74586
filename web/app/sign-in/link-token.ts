import { useEffect, useState } from "react";

/** The token of the link that led here: behind `#`, which no server and no `Referer` sees. Empty: there is none. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token") ?? "");
  // Out of the address bar and of the history, where others could read it.
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  return token;
}
