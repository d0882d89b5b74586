import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { CallFailure } from "../api/failure.ts";
import { Failure, Skeleton } from "../ui/states.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { ErrorBoundary } from "./boundary.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { OWNER_ROUTES, PRIVATE_ROUTES, PUBLIC_ROUTES, type RouteEntry } from "./routes.tsx";
import { AccountScope, leaveEnded, type OwnAccount, useSession } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { signInPath, wayBack } from "./way-back.ts";

const STALE_MS = 15_000;

/** Whether another attempt may help: not where the service has judged. */
const mayRetry = (attempts: number, error: Error): boolean =>
  attempts < 1 &&
  error instanceof CallFailure &&
  (error.status === 0 || error.status >= 502 || isOverInASecond(error));

/** The session's window of calls was full. */
const isOverInASecond = ({ status, retryAfterS }: CallFailure): boolean =>
  status === 429 && retryAfterS === 1;

function createQueries(): QueryClient {
  const judge = (error: Error): void => {
    if (!(error instanceof CallFailure)) return;
    // The session ended: by time, elsewhere, or with the account.
    if (error.code === "NOT_SIGNED_IN") void leaveEnded(queries);
    // There was a new sign-in in another tab: the token is that session's now.
    if (error.code === "CROSS_SITE") void queries.invalidateQueries({ queryKey: ["session"] });
  };
  const queries: QueryClient = new QueryClient({
    // What cannot be sent fails at once: kept, it would be sent, and charged, when the network is back. And the service may run
    // on this machine, which then needs no network.
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: mayRetry, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
    queryCache: new QueryCache({ onError: judge }),
    mutationCache: new MutationCache({ onError: judge }),
  });
  return queries;
}

const queries = createQueries();

/** The signed-in part. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Toasts>
        <Router base="/app">
          <Pages />
        </Router>
      </Toasts>
    </QueryClientProvider>
  );
}

// A mailed link counts whichever account is signed in here; after a deletion none is, in a moment.
const SHOWN_TO_ALL = ["/reset", "/open", "/join", "/goodbye"];

function Pages() {
  const session = useSession();
  const [location] = useLocation();
  if (session.data === undefined) {
    return (
      <main className="starting">
        {session.error === null ? (
          <Skeleton what="the dashboard" />
        ) : (
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        )}
      </main>
    );
  }
  const { account } = session.data;
  return account === null || SHOWN_TO_ALL.includes(location) ? (
    <PublicPages />
  ) : (
    <AccountScope value={account}>
      <PrivatePages account={account} />
    </AccountScope>
  );
}

function PublicPages() {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<Skeleton what="the page" />}>
        <Switch>
          {PUBLIC_ROUTES.map(toRoute)}
          <Route>
            <Redirect to={signInPath(location + window.location.search)} replace />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function PrivatePages({ account }: { readonly account: OwnAccount }) {
  const [location] = useLocation();
  const back = wayBack(window.location.search);
  return (
    <Shell>
      <ErrorBoundary key={location}>
        <Suspense fallback={<Skeleton what="the page" rows={8} />}>
          <Switch>
            {PRIVATE_ROUTES.map(toRoute)}
            {account.is_owner && !account.is_reader && OWNER_ROUTES.map(toRoute)}
            {PUBLIC_ROUTES.map(({ path }) => (
              <Route key={path} path={path}>
                <Redirect to={back} replace />
              </Route>
            ))}
            <Route>
              <NotFoundPage />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

const toRoute = ({ path, page: View }: RouteEntry) => (
  <Route key={path} path={path}>
    <View />
  </Route>
);
