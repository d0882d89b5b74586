import { createContext, type ReactNode, useContext } from "react";
import { Tip } from "./tip.tsx";

// Every datum has a source and an age: its own, or that of the part of the report around it.

const Around = createContext<string | undefined>(undefined);

type Props = {
  /** Where it comes from and how old that is. */
  readonly from: string | undefined;
  readonly children: ReactNode;
};

/** A part whose facts come from one place, as long as they do not say otherwise. */
export function SourceScope({ from, children }: Props) {
  const around = useContext(Around);
  return <Around value={from ?? around}>{children}</Around>;
}

/** The name of a datum, with where that comes from on hover, focus and a tap. */
export function Sourced({ from, children }: Props) {
  const around = useContext(Around);
  const text = from ?? around;
  return text === undefined ? (
    children
  ) : (
    <Tip text={text} isSource>
      {children}
    </Tip>
  );
}
