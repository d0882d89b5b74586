import { readFileSync } from "node:fs";
import { Reader, type Response } from "mmdb-lib";
import { answer, readBody, serve } from "./serve.ts";

// A MaxMind DB of all lists behind node:http: the lists that name an address. No key, no limits, no charge.
const reader = new Reader<Response>(readFileSync(process.argv[2] ?? ""));

serve((request, response) => {
  readBody(request, (body) => {
    const ip = typeof body === "object" && body !== null && "ip" in body ? String(body.ip) : "";
    answer(response, JSON.stringify({ ip, lists: ip.includes(":") ? [] : (reader.get(ip) ?? []) }));
  });
});
