import { z } from "zod";
import { nullable } from "../../base/wire.ts";

const time = z.string();

const TokenView = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  state: z.enum(["active", "expired", "revoked"]),
  scopes: z.array(z.string()).describe("gate, decisions, or exports: with the name of an export"),
  networks: z.array(z.string()).nullable().describe("CIDRs that calls may come from; null: any"),
  created_at: time,
  expires_at: nullable.describe("From then on the token is refused; null: never"),
  last_used_at: nullable,
  revoked_at: nullable,
});
export const TokensView = z.object({
  tokens: z.array(TokenView),
  may_create: z.boolean().describe("Owners alone create tokens: what they are for costs no credits"),
});
export const TokenCreationInput = z.object({
  name: z.string(),
  scopes: z.array(z.string()).describe("1 to 50: gate, decisions, or exports:NAME"),
  expires_at: z
    .string()
    .nullish()
    .describe("A time with its zone, a day or a duration such as 90d; null: never"),
  networks: z.array(z.string()).nullish().describe("1 to 50 CIDRs or addresses; null: any"),
});
export const NewTokenView = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  token: z.string().describe("Shown this once"),
});
