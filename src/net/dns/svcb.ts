import { formatIpv4, formatIpv6 } from "../../targets/ip.ts";

/** Service parameters by their registered name, unknown ones as `key65280`. `ech` is base64. */
export type SvcbParams = Readonly<
  Record<string, string | number | true | readonly string[] | readonly number[]>
>;

export type SvcbData = {
  /** 0: alias of `target`. */
  readonly priority: number;
  /** Lower case without final dot; `"."` means the owner itself. */
  readonly target: string;
  readonly params: SvcbParams;
};

/** A record that `dns-packet` leaves undecoded, in its shape. */
export type SvcbAnswer = {
  readonly type: "HTTPS" | "SVCB";
  readonly name: string;
  readonly ttl: number;
  readonly data: SvcbData;
};

/** Names of the IANA registry "DNS Service Bindings (SVCB)", by number. */
const PARAM_NAMES = [
  "mandatory",
  "alpn",
  "no-default-alpn",
  "port",
  "ipv4hint",
  "ech",
  "ipv6hint",
  "dohpath",
  "ohttp",
  "tls-supported-groups",
] as const;

const nameOfParam = (key: number): string => PARAM_NAMES[key] ?? `key${key}`;

/**
 * The rdata of an SVCB or HTTPS record. Throws RangeError at rdata that is cut, has parameters out of
 * order or a value of the wrong size: such a record is to be rejected. Source: RFC 9460, 2.2 and 7.
 */
export function parseSvcb(rdata: Buffer): SvcbData {
  const priority = rdata.readUInt16BE(0);
  const { name, end } = readTarget(rdata, 2);
  const params: Record<string, SvcbParams[string]> = {};
  let offset = end;
  let lastKey = -1;
  while (offset < rdata.length) {
    const key = rdata.readUInt16BE(offset);
    const length = rdata.readUInt16BE(offset + 2);
    if (key <= lastKey) throw new RangeError("Service parameters are out of order");
    params[nameOfParam(key)] = parseParam(key, take(rdata, offset + 4, length));
    lastKey = key;
    offset += 4 + length;
  }
  return { priority, target: name, params };
}

function take(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new RangeError("The record is cut");
  return bytes.subarray(start, start + length);
}

/** RFC 9460, 2.2: the target is never compressed. */
function readTarget(rdata: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let offset = start;
  for (;;) {
    const length = rdata.readUInt8(offset);
    if (length > 63 || offset - start > 254) throw new RangeError("The target is not a name");
    if (length === 0) break;
    labels.push(
      printable(take(rdata, offset + 1, length))
        .replaceAll(".", "\\.")
        .toLowerCase(),
    );
    offset += 1 + length;
  }
  return { name: labels.length === 0 ? "." : labels.join("."), end: offset + 1 };
}

/** Octets as text: `\\DDD` for what is not printable ASCII. Source: RFC 1035, 5.1. */
export function printable(octets: Uint8Array): string {
  let text = "";
  for (const octet of octets) {
    if (octet === 0x5c) text += "\\\\";
    else if (octet >= 0x20 && octet <= 0x7e) text += String.fromCharCode(octet);
    else text += `\\${String(octet).padStart(3, "0")}`;
  }
  return text;
}

function parseParam(key: number, value: Buffer): SvcbParams[string] {
  switch (PARAM_NAMES[key]) {
    case "mandatory":
      return words(value).map(nameOfParam);
    case "alpn":
      return textList(value);
    case "no-default-alpn":
    case "ohttp":
      if (value.length > 0) throw new RangeError("A flag parameter has a value");
      return true;
    case "port":
      if (value.length !== 2) throw new RangeError("The port has the wrong size");
      return value.readUInt16BE(0);
    case "ipv4hint":
      return chunks(value, 4).map((chunk) => formatIpv4(chunk.readUInt32BE(0)));
    case "ipv6hint":
      return chunks(value, 16).map(ipv6Text);
    case "ech":
      return value.toString("base64");
    case "tls-supported-groups":
      return words(value);
    default:
      return printable(value);
  }
}

const ipv6Text = (octets: Buffer): string =>
  formatIpv6([
    octets.readUInt32BE(0),
    octets.readUInt32BE(4),
    octets.readUInt32BE(8),
    octets.readUInt32BE(12),
  ]);

const words = (value: Buffer): number[] => chunks(value, 2).map((chunk) => chunk.readUInt16BE(0));

function chunks(value: Buffer, size: number): Buffer[] {
  if (value.length === 0 || value.length % size !== 0) throw new RangeError("A list has the wrong size");
  return Array.from({ length: value.length / size }, (_, i) => value.subarray(i * size, (i + 1) * size));
}

function textList(value: Buffer): string[] {
  const texts: string[] = [];
  for (let offset = 0; offset < value.length; ) {
    const length = value.readUInt8(offset);
    texts.push(printable(take(value, offset + 1, length)));
    offset += 1 + length;
  }
  if (texts.length === 0) throw new RangeError("A list has the wrong size");
  return texts;
}
