import { handshakeFault, isTlsRefusal } from "../tls/tls-faults.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** By how a code begins; the first that fits. Sources: llhttp's `HPE_` and zlib's `Z_` codes as Node gives them, and our own. */
const FAULTS: readonly (readonly [start: string, words: string])[] = [
  ["HPE_HEADER_OVERFLOW", "its head is too long"],
  ["TOO_MANY_HEADERS", "its head has too many lines"],
  ["TOO_MANY_INFORMATIONAL", "too many interim answers came before it"],
  ["UNEXPECTED_UPGRADE", "the server wants to speak another protocol"],
  ["UNKNOWN_VERSION", "it is in another version of HTTP"],
  ["UNKNOWN_TRANSFER_CODING", "it is sent in a way that is not known"],
  ["UNKNOWN_CONTENT_CODING", "it is packed in a way that is not known"],
  ["Z_BUF_ERROR", "what it is packed in ended early"],
  ["Z_", "it cannot be unpacked"],
  ["ERR__ERROR_", "it cannot be unpacked"],
  ["HPE_", "what came is not HTTP"],
  ["UNEXPECTED_STATUS", "what came is not HTTP"],
];

const withWords = (code: string, words: string): string => `${words} (${code})`;
const wordsOf = (code: string): string | undefined => FAULTS.find(([start]) => code.startsWith(start))?.[1];

/** Why there is no response, with the code to search for. */
export const exchangeFault = ({ state, code }: Exclude<HttpExchange, { state: "response" }>): string =>
  isTlsRefusal(code)
    ? handshakeFault(code)
    : `No HTTP response: ${withWords(code, state === "closed" ? "the other side closed the connection" : (wordsOf(code) ?? "what came ended early"))}`;

/** What is wrong with a body, with the code to search for. */
export const bodyFault = (code: string): string =>
  `The body is broken: ${withWords(code, wordsOf(code) ?? "it ended early")}`;
