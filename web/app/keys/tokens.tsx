import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useSay } from "../../ui/toasts.tsx";
import { CreateToken } from "./create-token.tsx";

type Token = Shapes["TokensView"]["tokens"][number];

type TokensProps = { readonly isReader: boolean };

/** The access tokens of the account: owners make them, others see those that they were given. */
export function Tokens({ isReader }: TokensProps) {
  const tokens = useQuery({ queryKey: ["tokens"], queryFn: ({ signal }) => dashboard.tokens(signal) });
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  return (
    <Loaded query={tokens} what="the access tokens">
      {({ tokens: all, may_create: mayCreate }) =>
        (mayCreate || all.length > 0) && (
          <section className="tokens" aria-labelledby="tokens-title">
            <h2 id="tokens-title">Access tokens</h2>
            <p className="muted">
              Credentials for firewalls, proxies and bouncers. A token fetches exports and decisions and asks
              the gate, looks nothing up and spends no credits.
            </p>
            {mayCreate && (
              <p>
                <Button onClick={() => setIsCreating(true)}>
                  <Plus aria-hidden="true" />
                  Create token
                </Button>
              </p>
            )}
            <TokenTables tokens={all} onRevoke={isReader ? null : setRevoked} />
            {isCreating && <CreateToken onClose={() => setIsCreating(false)} />}
            {revoked !== null && <RevokeToken token={revoked} onClose={() => setRevoked(null)} />}
          </section>
        )
      }
    </Loaded>
  );
}

type TokenTablesProps = {
  readonly tokens: readonly Token[];
  readonly onRevoke: ((token: Token) => void) | null;
};

const COLUMNS: readonly Column<Token>[] = [
  { head: "Name", isRowHead: true, cell: ({ name }) => name },
  { head: "Token", cell: ({ prefix }) => <code>{prefix}…</code> },
  { head: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
  { head: "Networks", cell: ({ networks }) => networks?.join(", ") ?? "Any" },
  { head: "Last used", cell: ({ last_used_at: at }) => <RelativeTime time={at} /> },
];

function TokenTables({ tokens, onRevoke }: TokenTablesProps) {
  const working = tokens.filter(({ state }) => state === "active");
  const past = tokens.filter(({ state }) => state !== "active");
  const expires: Column<Token> = {
    head: "Expires",
    cell: ({ expires_at: at }) => (at === null ? "Never" : <RelativeTime time={at} />),
  };
  const change: Column<Token> = {
    head: "Change",
    isAction: true,
    cell: (token) => (
      <Button tone="danger" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke?.(token)}>
        Revoke
      </Button>
    ),
  };
  const columns = onRevoke === null ? [...COLUMNS, expires] : [...COLUMNS, expires, change];
  return (
    <>
      {working.length > 0 && (
        <Table caption="Access tokens" columns={columns} rows={working} keyOf={({ id }) => id} />
      )}
      {past.length > 0 && (
        <details className="past-keys">
          <summary>{countOf(past.length, "past token")}</summary>
          <Table
            caption="Past access tokens"
            columns={[...COLUMNS, ENDED]}
            rows={past}
            keyOf={({ id }) => id}
            rowState={() => "off"}
          />
        </details>
      )}
    </>
  );
}

const ENDED: Column<Token> = {
  head: "Ended",
  cell: ({ state, revoked_at: revokedAt, expires_at: expiresAt }) => (
    <span>
      {state === "revoked" ? "Revoked" : "Expired"}{" "}
      <RelativeTime time={state === "revoked" ? revokedAt : expiresAt} />
    </span>
  ),
};

type RevokeTokenProps = { readonly token: Token; readonly onClose: () => void };

/** Asks before a token stops. */
function RevokeToken({ token, onClose }: RevokeTokenProps) {
  const queries = useQueryClient();
  const say = useSay();
  const revoke = useMutation({
    mutationFn: () => dashboard.revokeToken(token.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["tokens"] });
      say(`Revoked "${token.name}"`);
      onClose();
    },
  });
  return (
    <Dialog title={`Revoke "${token.name}"?`} onClose={onClose}>
      <p>
        Whatever carries <code>{token.prefix}…</code> gets a 401 from now on: a proxy that fails closed turns
        all its visitors away. This cannot be taken back.
      </p>
      <FormFailure error={revoke.error} />
      <div className="dialog-end">
        <Button tone="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button tone="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke "{token.name}"
        </Button>
      </div>
    </Dialog>
  );
}
