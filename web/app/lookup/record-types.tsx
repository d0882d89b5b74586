import { Select } from "../../ui/field.tsx";

const TYPES = [
  "A",
  "AAAA",
  "MX",
  "NS",
  "TXT",
  "SOA",
  "CNAME",
  "CAA",
  "PTR",
  "SRV",
  "DS",
  "DNSKEY",
  "TLSA",
  "HTTPS",
  "SVCB",
  "NAPTR",
];

type RecordTypesProps = { readonly value: string; readonly onChange: (types: string) => void };

/** Which record types to ask for. */
export const RecordTypes = ({ value, onChange }: RecordTypesProps) => (
  <Select label="Record type" value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="ALL">All common types</option>
    {TYPES.map((type) => (
      <option key={type}>{type}</option>
    ))}
  </Select>
);
