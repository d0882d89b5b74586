import { plain } from "../report/outside-text.ts";

const TYPES = ["A", "AAAA", "MX", "NS", "TXT", "SOA", "CAA", "CNAME", "PTR", "SRV", "DS", "HTTPS"] as const;

/** The kind of record to ask for; nothing chosen is A of a name and PTR of an address. */
export function RecordTypes({ chosen }: { chosen: string }) {
  const isOther = chosen !== "" && !TYPES.some((type) => type === chosen);
  return (
    <>
      <label className="visually-hidden" htmlFor="type">
        Record type
      </label>
      <select id="type" name="type" defaultValue={isOther ? plain(chosen) : chosen}>
        <option value="">Usual</option>
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
