/**
 * Structure of a DNS message, checked before the codec reads it: every record within the message, fixed
 * sizes as they must be, compression pointers only backwards and few, names of at most 255 octets and not too many
 * octets of names in all. The codec itself trusts the length of addresses, and what 64 KiB can unfold to by
 * compression would keep it busy for long. A dot or a backslash inside a label would make another name of it,
 * as the codec writes none of them out: only mailboxes in the form of a name have them.
 * Source: RFC 1035, 2.3.4, 4.1, 5.1; security P22.
 */

const HEADER_BYTES = 12;
const MAX_POINTERS = 64;
const MAX_NAME_OCTETS = 255;
/** Of all names, as long as they are unfolded: 128 octets for each of 2,000 records. */
const MAX_OCTETS_OF_NAMES = 262_144;

/** Where names stand in the rdata of types that the codec decodes: octets before them, and how many. */
const NAMES_IN_RDATA = new Map<number, readonly [before: number, count: number]>([
  [2, [0, 1]], // NS
  [5, [0, 1]], // CNAME
  [6, [0, 2]], // SOA
  [12, [0, 1]], // PTR
  [15, [2, 1]], // MX
  [17, [0, 2]], // RP
  [33, [6, 1]], // SRV
  [39, [0, 1]], // DNAME
  [46, [18, 1]], // RRSIG
  [47, [0, 1]], // NSEC
]);
const ADDRESS_BYTES = new Map([
  [1, 4],
  [28, 16],
]);
/** Octets behind the names, in types that end there. */
const AFTER_NAMES = new Map([
  [2, 0], // NS
  [5, 0], // CNAME
  [6, 20], // SOA
  [12, 0], // PTR
  [15, 0], // MX
  [33, 0], // SRV
  [39, 0], // DNAME
]);
/** Which of the names is a mailbox. */
const MAILBOXES = new Map([
  [6, 1], // SOA
  [17, 0], // RP
]);
const NAPTR = 35;
const CAA = 257;

/** Throws RangeError at a message that breaks the rules above. */
export function checkBounds(message: Buffer): void {
  const count = (i: number) => message.readUInt16BE(4 + 2 * i);
  const names: Names = { message, octets: 0 };
  let offset = HEADER_BYTES;
  for (let i = count(0); i > 0; i--) offset = endOfName(names, offset, message.length) + 4;
  for (let i = count(1) + count(2) + count(3); i > 0; i--) offset = checkRecord(names, offset);
  if (offset > message.length) throw new RangeError("The message is cut");
}

/** A message, and the octets of its names so far. */
type Names = { readonly message: Buffer; octets: number };

/** Where the record's end is. */
function checkRecord(names: Names, start: number): number {
  const { message } = names;
  const head = endOfName(names, start, message.length);
  const type = message.readUInt16BE(head);
  const length = message.readUInt16BE(head + 8);
  const rdata = head + 10;
  const end = rdata + length;
  if (end > message.length) throw new RangeError("A record is cut");
  const size = ADDRESS_BYTES.get(type);
  if (size !== undefined && size !== length) throw new RangeError("An address has the wrong size");
  if (type === NAPTR) endOfName(names, afterNaptrTexts(message, rdata), end);
  const [before, nameCount] = NAMES_IN_RDATA.get(type) ?? [0, 0];
  const mailbox = MAILBOXES.get(type);
  let offset = rdata + before;
  for (let i = 0; i < nameCount; i++) offset = endOfName(names, offset, end, i === mailbox);
  const after = AFTER_NAMES.get(type);
  if (after !== undefined && offset + after !== end) throw new RangeError("A record has the wrong size");
  if (type === CAA) checkCaa(message, rdata, length);
  return end;
}

/** Flags, length of the tag, at least one octet of it, the value (RFC 8659, 4.1). */
function checkCaa(message: Buffer, rdata: number, length: number): void {
  const tagLength = length < 2 ? 0 : message.readUInt8(rdata + 1);
  if (tagLength < 1 || tagLength + 2 > length) throw new RangeError("A tag is cut");
}

/** Flags, service and expression stand before the name. */
function afterNaptrTexts(message: Buffer, rdata: number): number {
  let offset = rdata + 4;
  for (let i = 0; i < 3; i++) offset += 1 + message.readUInt8(offset);
  return offset;
}

/** Where the name that starts here ends in place, at most `limit`; what it points to is checked as well. */
function endOfName(names: Names, start: number, limit: number, isMailbox = false): number {
  const { message } = names;
  let offset = start;
  let end = -1;
  let earliest = start;
  let octets = 1;
  for (let pointers = 0; ; ) {
    const length = message.readUInt8(offset);
    if (length === 0) break;
    if (length < 0x40) {
      octets += 1 + length;
      if (!isMailbox) checkLabel(message, offset + 1, length);
      offset += 1 + length;
      continue;
    }
    const target = message.readUInt16BE(offset) & 0x3fff;
    if (length < 0xc0 || target >= earliest || ++pointers > MAX_POINTERS) {
      throw new RangeError("A name is broken");
    }
    if (end < 0) end = offset + 2;
    earliest = target;
    offset = target;
  }
  if (end < 0) end = offset + 1;
  if (end > limit) throw new RangeError("A name is cut");
  countOctets(names, octets);
  return end;
}

function countOctets(names: Names, octets: number): void {
  if (octets > MAX_NAME_OCTETS) throw new RangeError("A name is too long");
  names.octets += octets;
  if (names.octets > MAX_OCTETS_OF_NAMES) throw new RangeError("The names are too long, taken together");
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;

/** Refuses signs that separate labels in a name's text, or give others a meaning. */
function checkLabel(message: Buffer, start: number, length: number): void {
  for (let i = start; i < start + length; i++) {
    const octet = message.readUInt8(i);
    if (octet === DOT || octet === BACKSLASH) throw new RangeError("A label is not a label");
  }
}
