import "./check.css";

type CheckProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly label: React.ReactNode;
  readonly children?: React.ReactNode;
};

/** A box to tick, with a line about it. */
export const Check = ({ isOn, onChange, label, children }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    <span>
      {label}
      {children !== undefined && <span className="muted small check-more">{children}</span>}
    </span>
  </label>
);
