import {
  type QueryClient,
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { dashboard, rememberCsrfToken } from "../api/dashboard.ts";
import type { Shapes } from "../api/types.gen.ts";
import { dismissToasts } from "../ui/toasts.tsx";

export type PageSession = Shapes["SessionView"];
export type OwnAccount = NonNullable<PageSession["account"]>;

const KEY = ["session"] as const;

const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => remembered(await dashboard.session(signal)),
  staleTime: Number.POSITIVE_INFINITY,
});

function remembered(session: PageSession): PageSession {
  rememberCsrfToken(session.csrf_token);
  return session;
}

/** Who is signed in, and what the installation offers. */
export const useSession = () => useQuery(sessionQuery);

const Signed = createContext<OwnAccount | null>(null);

/** Pages that only who is signed in sees: as long as they stand they have an account, also while the session ends. */
export const AccountScope = Signed.Provider;

/** The account of a page inside an `AccountScope`. */
export function useAccount(): OwnAccount {
  const account = useContext(Signed);
  if (account === null) throw new Error("No session where one is certain");
  return account;
}

/** Takes what sign-in, sign-up or a reset answered; whatever another account left behind is dropped. */
export function useEnter(): (session: PageSession) => void {
  const queries = useQueryClient();
  return (session) => {
    dismissToasts();
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
    queries.setQueryData(KEY, remembered(session));
  };
}

/** After a change of the account itself. */
export function useRefreshSession(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KEY });
}

/** Signed out, by choice or because the session ended. */
export async function leave(queries: QueryClient): Promise<void> {
  dismissToasts();
  queries.setQueryData<PageSession>(KEY, (session) => session && { ...session, account: null });
  // The next sign-in needs a token of its own.
  await queries.invalidateQueries({ queryKey: KEY });
}

const ENDED = ["session ended"] as const;

/** The service knows the session no more, as when another tab signed out: the sign-in page says so. */
export async function leaveEnded(queries: QueryClient): Promise<void> {
  const session = queries.getQueryData<PageSession>(KEY);
  if (session !== undefined && session.account !== null) queries.setQueryData(ENDED, true);
  await leave(queries);
}

/** Whether the session that this page had ended by itself. */
export const useHasEnded = (): boolean =>
  useQuery<boolean>({ queryKey: ENDED, queryFn: skipToken, staleTime: Number.POSITIVE_INFINITY }).data ===
  true;

/** Ends this session on the service and then here: a session that goes on there must not look ended. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => dashboard.signOut(), onSuccess: () => leave(queries) });
}
