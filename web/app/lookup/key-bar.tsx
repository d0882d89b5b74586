import { useQuery } from "@tanstack/react-query";
import { ClipboardPaste, KeyRound, Plus } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { dashboard } from "../../api/dashboard.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { forgetKey, keepKey, prefixOf, useKey } from "../key-store.ts";
import { CreateKey } from "../keys/create-key.tsx";
import "./key-bar.css";

/** Which key pays for lookups here; without one, how to bring one. */
export function KeyBar() {
  const key = useKey();
  const [isCreating, setIsCreating] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useFocusOnChange(key, frame);
  return (
    <div ref={frame}>
      {key === null ? <KeyForm onCreate={() => setIsCreating(true)} /> : <KeyInUse apiKey={key} />}
      {isCreating && <CreateKey isForTab onClose={() => setIsCreating(false)} />}
    </div>
  );
}

/** What brought or dropped the key is gone by then: on to the question, or to bringing another key. */
function useFocusOnChange(key: string | null, frame: React.RefObject<HTMLDivElement | null>): void {
  const before = useRef(key);
  useLayoutEffect(() => {
    if (before.current === key) return;
    before.current = key;
    const page = frame.current?.closest("main");
    const next = key === null ? ".key-form button" : "input[name=text], .given textarea";
    // Not before a dialog has closed.
    queueMicrotask(() => page?.querySelector<HTMLElement>(next)?.focus());
  }, [key, frame]);
}

const KeyInUse = ({ apiKey }: { readonly apiKey: string }) => (
  <p className="key-bar muted small">
    <KeyRound size={15} aria-hidden="true" />
    <span>
      Paid with <code>{prefixOf(apiKey)}…</code>, kept in this tab only.{" "}
      <button type="button" className="link" onClick={forgetKey}>
        Forget key
      </button>
    </span>
  </p>
);

function KeyForm({ onCreate }: { readonly onCreate: () => void }) {
  const [isPasting, setIsPasting] = useState(false);
  const keys = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => dashboard.keys(signal) });
  const isFull = keys.data !== undefined && keys.data.active >= keys.data.max;
  return (
    <section className="key-form" aria-labelledby="key-form-title">
      <div>
        <h2 id="key-form-title">This tab needs a key to look things up</h2>
        <p className="muted">
          Being signed in never pays for a lookup: a key does. It is kept in this tab only, until the tab is
          closed or you press Forget.
        </p>
      </div>
      <div className="button-row">
        <Button tone="primary" disabled={isFull} onClick={onCreate}>
          <Plus aria-hidden="true" />
          Make a key for this tab
        </Button>
        <Button aria-expanded={isPasting} onClick={() => setIsPasting(!isPasting)}>
          <ClipboardPaste aria-hidden="true" />
          Paste a key
        </Button>
      </div>
      {isFull && (
        <p>
          Your plan allows {keys.data.max} active keys, and you have them: revoke one under{" "}
          <Link href="/keys">Keys</Link> to make another, or paste one.
        </p>
      )}
      {isPasting && <PasteForm />}
    </section>
  );
}

// 32 octets in base64url behind the fixed prefix; the service judges for good.
const KEY = /^[a-z]+_[\w-]{20,200}$/;

function PasteForm() {
  const [error, setError] = useState<string | null>(null);
  return (
    <Form
      className="key-form-paste"
      label="Paste a key"
      onSend={(typed) => {
        const key = typed("key").trim();
        setError(KEY.test(key) ? null : "A key begins with rpt_ and has 47 characters");
        if (KEY.test(key)) keepKey(key);
      }}
    >
      <Field
        label="API key"
        name="key"
        type="password"
        autoComplete="off"
        autoFocus
        placeholder="rpt_…"
        error={error}
      />
      <Button type="submit">Use key</Button>
    </Form>
  );
}
