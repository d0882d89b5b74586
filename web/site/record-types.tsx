import { plain } from "../report/outside-text.ts";

const TYPES = ["A", "AAAA", "MX", "NS", "TXT", "SOA", "CAA", "CNAME", "PTR", "SRV", "DS", "HTTPS"] as const;

type Props = {
  readonly chosen: string;
  /** Whether a choice of nothing asks for all common types; else for A of a name and PTR of an address. */
  readonly areAllUsual: boolean;
};

/** The kind of record to ask for. */
export function RecordTypes({ chosen, areAllUsual }: Props) {
  const isOther = chosen !== "" && !TYPES.some((type) => type === chosen);
  return (
    <>
      <label className="visually-hidden" htmlFor="type">
        Record type
      </label>
      <select id="type" name="type" defaultValue={isOther ? plain(chosen) : chosen}>
        <option value="">{areAllUsual ? "Common types" : "Address"}</option>
        {isOther ? <option value={plain(chosen)}>{plain(chosen)}</option> : null}
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </select>
    </>
  );
}
