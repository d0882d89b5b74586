import { expect, test } from "vitest";
import { z } from "zod";
import type { Caller, Settlement } from "../accounts/accounts.ts";
import { systemClock } from "../base/clock.ts";
import { utf8Of } from "../base/json-text.ts";
import { createWork } from "../base/work.ts";
import type { Deps } from "../products/deps.ts";
import { defineProduct } from "../products/product.ts";
import type { FreshnessReport } from "../risk/shapes.ts";
import type { Call, CallParts } from "./metered-call.ts";
import { callProduct } from "./single.ts";

const caller: Caller = {
  accountId: "account",
  keyId: "key",
  keyPrefix: "rpt_12345678",
  plan: "Free",
  credits: 100,
  creditsResetAt: new Date("2030-01-01T00:00:00Z"),
  restriction: null,
};

type Said = { readonly text: string; readonly freshness: FreshnessReport };

const echo = defineProduct({
  name: "echo",
  summary: "Echo",
  description: "Says what it was told.",
  price: 1,
  halfAllowance: false,
  targetKind: "text",
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string(), freshness: z.object({}) }),
  verdict: { output: z.object({ text: z.string() }), of: ({ text }: Said) => ({ text }) },
  deadlineMs: 1000,
  field: "text",
  parse: ({ text }) => text,
  textOf: (text) => text,
  lookup: async (text): Promise<Said> => ({
    text,
    freshness: { data_age_s: null, stale: false, cached: false, computed_at: "" },
  }),
  isCharged: () => true,
  failureOf: () => "",
  bulk: null,
  free: null,
  cli: { word: "echo", render: ({ text }) => text },
  page: {
    name: "Echo",
    takes: [],
    form: { label: "Text", example: "x" },
    tool: { tab: "Echo", title: "Echo", lead: "Echo.", label: "Text", example: "x", full: "an echo" },
    isWholePublic: true,
  },
  example: { text: "x" },
});

test("callProduct() charges only an answer that could be made", async () => {
  const charged: number[] = [];
  const settle = async (_call: unknown, cost: number): Promise<Settlement> => {
    charged.push(cost);
    return { state: "charged", creditsRemaining: 99 };
  };
  const parts: CallParts = {
    deps: Object.create(null) as Deps,
    clock: systemClock,
    ledger: {
      findCaller: async () => caller,
      findSessionCaller: async () => null,
      settle,
      record: () => undefined,
      flush: async () => undefined,
    },
    missingParts: () => [],
    storeTargets: false,
  };
  const call = (render: Call["render"]): Call => ({
    keep: null,
    requestId: "r",
    endpoint: "echo",
    caller,
    findAgain: async () => caller,
    clientAddress: "",
    startedMs: 0,
    signal: new AbortController().signal,
    isGone: () => false,
    work: createWork(),
    describe: () => undefined,
    view: "verdict",
    policy: null,
    faults: [],
    render,
  });
  const broken = call(() => {
    throw new URIError("URI malformed");
  });
  await expect(callProduct(parts, echo, { text: "x" }, broken)).rejects.toThrow(URIError);
  expect(charged).toEqual([]);
  const answer = await callProduct(parts, echo, { text: "x" }, call(utf8Of));
  expect([answer.body.toString(), answer.charged, charged]).toEqual(['{"text":"x"}', 1, [1]]);
});
