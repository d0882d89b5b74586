import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dashboard } from "../../api/dashboard.ts";
import { faultOf } from "../../api/failure.ts";
import type { Shapes } from "../../api/types.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Form, FormFailure, type Typed } from "../../ui/form.tsx";
import { ExpiryField } from "./limit-fields.tsx";
import { type Expiry, expiryInput, faultsAfter, faultsBefore, listed } from "./limits.ts";
import { NewKey } from "./new-key.tsx";

type CreateTokenProps = { readonly onClose: () => void };

const NEVER: Expiry = { end: "never", day: "" };

/** Names an access token and what it opens, then shows it this once. */
export function CreateToken({ onClose }: CreateTokenProps) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: dashboard.createToken,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
  if (create.data !== undefined) {
    const { token, ...made } = create.data;
    return <NewKey made={{ ...made, key: token }} what="token" onClose={onClose} />;
  }
  return (
    <Dialog title="Create token" onClose={onClose}>
      <TokenForm create={create} onClose={onClose} />
    </Dialog>
  );
}

type TokenFormProps = CreateTokenProps & {
  readonly create: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly mutate: (input: Shapes["TokenCreationInput"]) => void;
  };
};

function TokenForm({ create, onClose }: TokenFormProps) {
  const [expiry, setExpiry] = useState(NEVER);
  const [before, setBefore] = useState<ReturnType<typeof faultsBefore>>(null);
  const error = before === null ? create.error : null;
  const faults = before ?? faultsAfter(error);
  const scopesFault = faultOf(error, "scopes");
  const send = (typed: Typed): void => {
    const name = typed("name").trim();
    const wrong = faultsBefore({ name, expiry });
    setBefore(wrong);
    if (wrong !== null || create.isPending) return;
    const networks = listed(typed("networks"));
    const limits = { ...expiryInput(expiry), networks: networks.length === 0 ? null : networks };
    create.mutate({ name, scopes: listed(typed("scopes")), ...limits });
  };
  return (
    <Form error={before ?? create.error} onSend={send}>
      <NameAndScopes nameFault={faults.name} scopesFault={scopesFault} />
      <ExpiryField value={expiry} onChange={setExpiry} current={null} error={faults.expires_at} />
      <TextArea
        label="Networks"
        name="networks"
        rows={2}
        spellCheck={false}
        autoComplete="off"
        error={faults.networks}
        placeholder={"192.0.2.0/24\n2001:db8::/32"}
        hint="Where it may be used: addresses or networks, one on each line. Empty: anywhere."
      />
      <FormFailure error={error} shown={[scopesFault, ...Object.values(faults)]} />
      <Buttons isBusy={create.isPending} onClose={onClose} />
    </Form>
  );
}

type NameAndScopesProps = { readonly nameFault: string | null; readonly scopesFault: string | null };

const NameAndScopes = ({ nameFault, scopesFault }: NameAndScopesProps) => (
  <>
    <Field
      label="Name"
      name="name"
      autoComplete="off"
      required
      error={nameFault}
      hint="What will carry it: nginx, firewall, resolver"
    />
    <Field
      label="Scopes"
      name="scopes"
      autoComplete="off"
      spellCheck={false}
      required
      error={scopesFault}
      placeholder="gate, exports:edge"
      hint="gate, decisions, or exports: with the name of an export; several with commas."
    />
  </>
);

const Buttons = ({ isBusy, onClose }: CreateTokenProps & { readonly isBusy: boolean }) => (
  <div className="button-row">
    <Button type="submit" tone="primary" isBusy={isBusy}>
      Create token
    </Button>
    <Button tone="quiet" onClick={onClose}>
      Cancel
    </Button>
  </div>
);
