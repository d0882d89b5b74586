import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Empty } from "../../ui/states.tsx";
import { Page } from "../page.tsx";
import { useAccount } from "../session.tsx";
import { CreateKey } from "./create-key.tsx";
import type { Key } from "./key.ts";
import { ActiveKeys, RevokedKeys } from "./key-tables.tsx";
import { RevokeKey } from "./revoke-key.tsx";

/** The API keys of the account. */
export function KeysPage() {
  const keys = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => dashboard.keys(signal) });
  const [isCreating, setIsCreating] = useState(false);
  const [leaving, setLeaving] = useState<Key | null>(null);
  const { is_reader: isReader } = useAccount();
  const isFull = keys.data !== undefined && keys.data.active >= keys.data.max;
  return (
    <Page
      title="Keys"
      intro="Whoever has a key can spend the credits of this account: one for each application, revoked when it leaves your hands."
      actions={
        <Button tone="primary" disabled={isFull || isReader} onClick={() => setIsCreating(true)}>
          <Plus aria-hidden="true" />
          Create key
        </Button>
      }
    >
      <Loaded query={keys} what="the keys">
        {(data) => <KeyList view={data} onRevoke={setLeaving} />}
      </Loaded>
      {isCreating && <CreateKey onClose={() => setIsCreating(false)} />}
      {leaving !== null && <RevokeKey apiKey={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

type KeyListProps = { readonly view: Shapes["KeysView"]; readonly onRevoke: (key: Key) => void };

function KeyList({ view: { keys, active, max }, onRevoke }: KeyListProps) {
  const revoked = keys.filter(({ revoked_at: at }) => at !== null);
  return (
    <>
      <p className="muted">
        {active} of {max} active keys that the plan allows.{" "}
        {active >= max && (
          <>
            Revoke one, or <Link href="/billing">choose a larger plan</Link>, to create another.
          </>
        )}
      </p>
      {keys.length === revoked.length ? (
        <Empty title="No active key" icon={<KeyRound size={22} aria-hidden="true" />}>
          <p>A key pays for the lookups of your programs. Create the first one above.</p>
        </Empty>
      ) : (
        <ActiveKeys keys={keys.filter(({ revoked_at: at }) => at === null)} onRevoke={onRevoke} />
      )}
      {revoked.length > 0 && <RevokedKeys keys={revoked} />}
    </>
  );
}
