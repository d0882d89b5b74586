import { createSocket } from "node:dgram";
import { type Answer, encode } from "dns-packet";
import { isMood, type ResolverMood } from "../fresh-resolver.ts";

/*
 * A resolver that costs little beside the service it answers. It knows `com` and `org` as every resolver does, zones
 * below `zone.example` as RFC 5782 wants them, and of addresses what its mood says.
 */

const HEADER_BYTES = 12;
const TTL_S = 3600;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** What a reply holds after its question. */
type Content = {
  readonly rcode: number;
  readonly answers: number;
  readonly authorities: number;
  readonly tail: Buffer;
};

const tailOf = (records: { readonly answers?: Answer[]; readonly authorities?: Answer[] }): Buffer =>
  encode({ type: "response", ...records }).subarray(HEADER_BYTES);

const recordOf = (answer: Answer): Content => ({
  rcode: 0,
  answers: 1,
  authorities: 0,
  tail: tailOf({ answers: [answer] }),
});

const FAILED: Content = { rcode: SERVFAIL, answers: 0, authorities: 0, tail: Buffer.alloc(0) };
const ABSENT: Content = {
  rcode: NXDOMAIN,
  answers: 0,
  authorities: 1,
  tail: tailOf({
    authorities: [
      {
        type: "SOA",
        name: "example",
        ttl: TTL_S,
        data: { mname: "a.example", rname: "b.example", minimum: TTL_S },
      },
    ],
  }),
};

let mood: ResolverMood = "nxdomain";

function contentFor(name: string): Content | null {
  if (mood === "silent") return null;
  if (mood === "servfail") return FAILED;
  const labels = name.toLowerCase().split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length === 1) return recordOf({ type: "NS", name, ttl: TTL_S, data: "a.example" });
  if (last === "arpa" && mood === "names") {
    const data = `${labels.slice(0, 4).join("-")}.host.example`;
    return recordOf({ type: "PTR", name, ttl: TTL_S, data });
  }
  if (name.endsWith(".host.example")) {
    const data = (labels[0] ?? "").split("-").toReversed().join(".");
    return recordOf({ type: "A", name, ttl: TTL_S, data });
  }
  const isTestEntry = name.startsWith("2.0.0.127.") && name.endsWith(".zone.example");
  return isTestEntry ? recordOf({ type: "A", name, ttl: TTL_S, data: "127.0.0.2" }) : ABSENT;
}

/** The name in its letter case, and where the question ends. */
function readQuestion(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5 };
}

const socket = createSocket("udp4");
socket.on("message", (query, from) => {
  const { name, end } = readQuestion(query);
  const content = contentFor(name.toLowerCase());
  if (content === null) return;
  const reply = Buffer.concat([query.subarray(0, end), content.tail]);
  reply.writeUInt16BE(0x8180 | content.rcode, 2);
  reply.writeUInt16BE(content.answers, 6);
  reply.writeUInt16BE(content.authorities, 8);
  reply.writeUInt16BE(0, 10);
  socket.send(reply, from.port, from.address);
});
socket.bind(0, "127.0.0.1", () => process.send?.({ port: socket.address().port }));

process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("mood" in message)) return;
  if (isMood(message.mood)) mood = message.mood;
  process.send?.({ mood });
});
process.once("disconnect", () => process.exit());
