import { createContext, type ReactNode, useContext } from "react";

// A value that is not there has two meanings: its source says that there is none, or its source said nothing. A report
// names the second kind in `unknown_fields`.

type IsUnknown = (path: string) => boolean;

const Scope = createContext<IsUnknown>(() => false);
const AbsenceIsKnown = createContext(false);

/** Tells the parts inside which fields of the report are unknown; a path covers everything below it. */
export function UnknownScope({ fields, children }: { fields: readonly string[]; children: ReactNode }) {
  const isUnknown: IsUnknown = (path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`));
  return <Scope value={isUnknown}>{children}</Scope>;
}

/** Parts that name their fields without the object that holds them. */
export function Below({ path, children }: { path: string; children: ReactNode }) {
  const isUnknown = useContext(Scope);
  return <Scope value={(field) => isUnknown(`${path}.${field}`)}>{children}</Scope>;
}

/** Whether a field of the report around is unknown. */
export const useIsUnknown = (): IsUnknown => useContext(Scope);

/** Inside, a value that is not there is known to be absent. */
export const KnownAbsence = ({ children }: { children: ReactNode }) => (
  <AbsenceIsKnown value={true}>{children}</AbsenceIsKnown>
);

/** What is not known, said so. */
export function Unknown({ children = "unknown" }: { children?: string }) {
  return <span className="unknown">{children}</span>;
}

/** In place of a value that is not there: "none" where the report knows that, else "unknown". */
export function Nothing() {
  return useContext(AbsenceIsKnown) ? <span className="muted">none</span> : <Unknown />;
}
