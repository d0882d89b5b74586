import { z } from "zod";
import { AlertSettings } from "../../accounts/alert-settings.ts";
import { ROLES } from "../../accounts/people.ts";
import { PLAN_NAMES } from "../../accounts/plans.ts";
import { DayTotals, PlanTerms, Subscription } from "../../accounts/shapes.ts";
import { nullable } from "../../base/wire.ts";
import { licenceSchema } from "../../engines/catalogue-columns.ts";
import { EngineRowShape } from "../../engines/rows.ts";

// The pages' own interface, field by field. Times are ISO 8601 in UTC, days YYYY-MM-DD in UTC. Every 200 is the success
// envelope with one of these as `data`; every refusal is the error envelope.

const time = z.string();
const planName = z.enum(PLAN_NAMES);

/** What the pages know before they ask anything else. */
export const SessionView = z.object({
  account: z
    .object({
      id: z.string(),
      email: z.string(),
      plan: planName,
      person: z
        .object({ id: z.string(), email: z.string(), role: z.enum(ROLES) })
        .nullable()
        .describe("Who signed in; null: an API key did"),
      is_owner: z
        .boolean()
        .describe("May do what owners of the installation do; their own account's owner is person.role"),
      has_password: z.boolean(),
      has_totp: z.boolean(),
      is_reader: z
        .boolean()
        .describe("This session only reads: it was opened by an API key, or its person is a viewer"),
      recovery_codes_left: z.int().nullable().describe("Null without an authenticator"),
      is_proved: z
        .boolean()
        .describe(
          "False: no link mailed to the address was opened yet, and there are no keys, credits or authenticator",
        ),
    })
    .nullable()
    .describe("Null: not signed in"),
  csrf_token: z
    .string()
    .nullable()
    .describe("Goes into the header X-CSRF-Token of every call that changes something"),
  signup: z.enum(["open", "closed"]),
  key_sign_in: z.enum(["read", "off"]).describe("Whether an API key signs in"),
  has_billing: z.boolean(),
  kept_result_days: z.int().describe("How long answers to lookups on the pages are kept; 0: none are"),
  has_mail: z.boolean().describe("Whether a lost password can be reset by mail"),
});

export const Done = z.object({ done: z.literal(true) });

export const SessionsView = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: time,
      last_seen_at: time,
      expires_at: time,
      client_address: z.string(),
      user_agent: z.string(),
      is_current: z.boolean(),
    }),
  ),
});

export const AlertsView = AlertSettings;
export const AlertsInput = z.strictObject({
  ...AlertSettings.shape,
  credits_percent: AlertSettings.shape.credits_percent.min(0).max(90),
});

const CallView = z.object({
  at: time.describe("Of refused calls the start of their minute"),
  request_id: z
    .string()
    .nullable()
    .describe(
      "Null: the row stands for all calls of the endpoint that the limits refused (429) in the minute that begins at `at`",
    ),
  endpoint: z.string(),
  calls: z.int().describe("1, or how many were refused in the minute"),
  key_prefix: z.string().nullable().describe("Null where request_id is"),
  target_kind: z.string().nullable().describe("Null where request_id is"),
  target: z.string().nullable().describe("Only kept with usage.store_targets"),
  items: z.int(),
  status: z.int(),
  credits: z.int(),
  elapsed_ms: z.int().nullable().describe("Null where request_id is"),
  result_id: z.string().nullable().describe("The kept answer; null where there is none"),
});

export const OverviewView = z.object({
  subscription: Subscription,
  today: DayTotals,
  yesterday: DayTotals,
  last_calls: z.array(CallView).describe("The last ten"),
  steps: z.object({ has_key: z.boolean(), has_call: z.boolean() }),
});

const keyLimits = {
  expires_at: nullable.describe("From then on the key is refused; null: never"),
  networks: z.array(z.string()).nullable().describe("CIDRs that calls may come from; null: any"),
  products: z.array(z.string()).nullable().describe("Products that it may call; null: all"),
};
const KeyFields = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  state: z.enum(["active", "expired", "revoked"]),
  created_at: time,
  last_used_at: nullable,
  revoked_at: nullable,
  kind: z
    .enum(["api", "dashboard"])
    .describe(
      "dashboard: what a session pays its lookups by; it has no text, counts for no limit and ends with it",
    ),
  ...keyLimits,
  replaced_by: z.string().nullable().describe("Id of the key that replaced it"),
  calls_30_days: z.int(),
});
const OwnKeyView = KeyFields.extend({
  made_by: z
    .string()
    .nullable()
    .describe("E-mail of the person who made it; null: the operator, or they left"),
  may_change: z.boolean().describe("Whether this session's person may change, roll and revoke it"),
});
export const KeysView = z.object({
  keys: z.array(OwnKeyView),
  active: z.int().describe("Keys of kind api that work, without those that were replaced"),
  max: z.int(),
  products: z.array(z.string()).describe("Products that a key can be limited to"),
});
const limitInputs = {
  expires_at: z
    .string()
    .nullish()
    .describe("A time with its zone, a day or a duration such as 90d; null: never"),
  networks: z.array(z.string()).nullish().describe("1 to 50 CIDRs or addresses; null: any"),
  products: z.array(z.string()).nullish().describe("Names or paths of products; null: all"),
};
export const KeyInput = z.object({ name: z.string(), ...limitInputs });
/** What is left out stays as it is. */
export const KeyUpdateInput = z.object({ name: z.string().optional(), ...limitInputs });
export const KeyRollInput = z.object({
  overlap_s: z.int().optional().describe("How long the old key works on: 0 to 604800, one day unless given"),
  expires_at: limitInputs.expires_at.describe("Of the new key; the old one's unless given"),
});
export const NewKeyView = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  key: z.string().describe("Shown this once"),
});
/** The new key, and what becomes of the old one. */
export const RolledKeyView = NewKeyView.extend({
  replaced: z.object({
    prefix: z.string(),
    works_until: nullable.describe("Null: it has stopped"),
  }),
});
export const AccountDeletionInput = z.object({
  email: z.string().describe("The account's, typed as a confirmation"),
  password: z.string(),
  totp_code: z.string().optional(),
});

/** An engine or a table as `repute feeds list --json` has it, with its plan and its try log. */
export const FeedView = EngineRowShape.extend({
  kind: z.string(),
  target: z.string(),
  status: z.string(),
  entries: z
    .int()
    .nullable()
    .describe(
      "Null for who is not an owner, where the operator configured the source, and of a shipped table",
    ),
  dropped: z.int().nullable().describe("Null where entries is"),
  refresh_minutes: z.int().nullable().describe("Null for what is asked live"),
  tries: z
    .array(
      z.object({
        at: time,
        outcome: z.string(),
        detail: z.string().nullable(),
        elapsed_ms: z.int().nullable(),
      }),
    )
    .describe("The last attempts, newest first"),
  disabled_class: z.string().nullable().describe("Kind of the reason why the catalogue has it off"),
  disabled_reason: z.string().nullable(),
  licence: z.object(licenceSchema.shape).nullable().describe("Null of the operator's own"),
  publisher: z.string().nullable(),
  line: z
    .string()
    .nullable()
    .describe("What to put into the configuration to switch it on; null where it is on, or nothing does"),
  owner_switch: z
    .enum(["on", "off"])
    .nullable()
    .describe("How an owner switched it, before whatever the configuration says"),
});
/** `value`: true is on, null leaves it to the configuration. */
export const FeedSwitchInput = z.object({
  value: z.boolean().nullable(),
  reason: z.string().describe("Kept in the audit log"),
});
/** One download or self-test, of which nothing is kept. */
export const FeedTrialView = z.object({
  outcome: z.enum(["ok", "failed"]),
  entries: z.int().nullable(),
  dropped: z.int().nullable(),
  samples: z.array(z.string()),
  detail: z.string().nullable(),
  elapsed_ms: z.int(),
  engines_now: z.int().describe("Engines of its target that are on"),
  engines_then: z.int().describe("The same with it"),
});
export const FeedsView = z.object({ feeds: z.array(FeedView) });

const PlanView = PlanTerms.extend({
  price_usd_per_month: z.number(),
  can_buy: z
    .boolean()
    .describe("Whether the plan has a price here, and its payment would be told to the service"),
});
export const BillingView = z.object({
  is_on: z.boolean().describe("False: plans are set by the operator"),
  subscription: Subscription,
  has_subscription: z.boolean().describe("Changes and cancelling go through the provider's portal"),
  grace_ends_at: nullable.describe("While a payment is late: when the plan ends unless it is paid"),
  plans: z.array(PlanView),
});
export const CheckoutInput = z.object({ plan: planName });
export const RedirectView = z.object({ url: z.string().describe("Where the browser goes next") });

const AccountRow = z.object({
  id: z.string(),
  email: z.string(),
  plan: planName,
  credits_remaining: z.int(),
  credits_reset_at: nullable.describe("Null while a due refill waits for a late payment"),
  created_at: time,
  disabled_at: nullable,
  is_owner: z.boolean(),
  billing_status: z.string().nullable(),
});
export const AccountsView = z.object({
  accounts: z.array(AccountRow),
  total: z.int().describe("Of all that match"),
});
const AuditRow = z.object({
  id: z.string(),
  at: time,
  actor: z.string(),
  action: z.string(),
  account_id: z.string().nullable(),
  account_email: z.string().nullable(),
  reason: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
export const AccountView = z.object({
  account: AccountRow,
  keys: z.array(KeyFields),
  last_30_days: DayTotals,
  audit: z.array(AuditRow),
});
/** What a revocation ended. */
export const RevokedKeyView = z.object({
  done: z.literal(true),
  ended_sessions: z.int().describe("Sessions of the dashboard that it opened"),
  made: z.array(AuditRow).describe("What its sessions did, newest first"),
});
/** One change, with the reason that is kept. */
export const AccountChangeInput = z.object({
  change: z.enum(["plan", "credits", "disabled", "owner"]),
  value: z.union([z.string(), z.number(), z.boolean()]),
  reason: z.string(),
});
export const AuditView = z.object({ audit: z.array(AuditRow), total: z.int() });
