// Made by `npm run web:types` from the service's own shapes.

export type ToolPage = ({
page: "tool"
tool: "ip"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeIpReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: (CheckIpReport | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
} | {
page: "tool"
tool: "domain"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeDomainReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: (DomainReport | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
} | {
page: "tool"
tool: "url"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeUrlReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: (UrlReport | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
} | {
page: "tool"
tool: "email"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeEmailReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: (EmailReport | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
} | {
page: "tool"
tool: "dns"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeDnsLookupReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: (DnsLookupReport | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
} | {
page: "tool"
tool: "whois"
asked: string
/**
 * Only of dns
 */
record_type: string
problem: (PageProblem | null)
report: (FreeWhoisReport | null)
/**
 * The whole report, where it was asked for or strangers see it
 */
full: ((WhoisDomainReport | WhoisIpReport | WhoisAsnReport) | null)
/**
 * What the whole report cost, and what is left
 */
charge: (string | null)
/**
 * What strangers see
 */
depth: ("full" | "reduced" | "off")
/**
 * Credits that the whole report costs
 */
price: number
free_plan: {
/**
 * Of the smallest plan, with this tool's product
 */
requests_per_second: number
credits_per_month: number
}
})
/**
 * One record; the fields behind `value` depend on its type
 */
export type DnsRecord = ({
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "A"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * IPv4 address
 */
address: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "AAAA"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * IPv6 address
 */
address: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "CNAME"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Name that it is an alias of
 */
target: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "NS"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Name server
 */
target: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "PTR"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Name that it points to
 */
target: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "MX"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * The lowest is tried first
 */
priority: number
/**
 * `.`: takes no mail (RFC 7505)
 */
exchange: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "TXT"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Its strings, which are read as one
 */
strings: string[]
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "SOA"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Primary name server
 */
mname: string
/**
 * Mailbox of who runs the zone, its first dot for the @
 */
rname: string
/**
 * Serial number of the zone
 */
serial: number
/**
 * Seconds between two looks of a secondary
 */
refresh: number
/**
 * Seconds until a failed look is made again
 */
retry: number
/**
 * Seconds after which a secondary without contact stops answering
 */
expire: number
/**
 * Seconds that a negative answer may be kept
 */
minimum: number
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "CAA"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * 128: a reader that does not know the tag must not issue
 */
flags: number
/**
 * What it is about: issue, issuewild, iodef
 */
tag: string
/**
 * What it says
 */
content: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "SRV"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * The lowest is tried first
 */
priority: number
/**
 * Share among those of one priority
 */
weight: number
/**
 * Port of the service
 */
port: number
/**
 * Host of the service
 */
target: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "DS"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * Number of the key
 */
key_tag: number
/**
 * Algorithm of the key, IANA number
 */
algorithm: number
/**
 * Algorithm of the digest, IANA number
 */
digest_type: number
/**
 * Hexadecimal, upper case
 */
digest: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "DNSKEY"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * 257: key that signs keys; 256: key that signs the zone
 */
flags: number
/**
 * Always 3
 */
protocol: number
/**
 * Algorithm of the key, IANA number
 */
algorithm: number
/**
 * Base64
 */
public_key: string
/**
 * Number of the key
 */
key_tag: number
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "TLSA"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * How the certificate is bound, IANA number
 */
usage: number
/**
 * 0: the whole certificate; 1: its key
 */
selector: number
/**
 * 0: as it is; 1: SHA-256; 2: SHA-512
 */
matching_type: number
/**
 * Hexadecimal, upper case
 */
data: string
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "HTTPS"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * 0: an alias of the target
 */
priority: number
/**
 * `.`: the owner itself
 */
target: string
/**
 * By registered name, `key65280` when there is none; `ech` in base64
 */
params: {
[k: string]: string | number | true | string[] | number[]
}
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "SVCB"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * 0: an alias of the target
 */
priority: number
/**
 * `.`: the owner itself
 */
target: string
/**
 * By registered name, `key65280` when there is none; `ech` in base64
 */
params: {
[k: string]: string | number | true | string[] | number[]
}
} | {
/**
 * Owner of the record, lower case
 */
name: string
/**
 * Type of the record
 */
type: "NAPTR"
/**
 * Seconds
 */
ttl: number
/**
 * Presentation form without final dots and quotes; octets that are not text as `\DDD`
 */
value: string
/**
 * The lowest is read first
 */
order: number
/**
 * Among those of one order, the lowest first
 */
preference: number
/**
 * What the replacement is
 */
flags: string
/**
 * Services that it is about
 */
service: string
/**
 * Substitution that makes the next name
 */
regexp: string
/**
 * The next name
 */
replacement: string
})
export type SharedPage = ({
page: "shared"
tool: "ip"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: CheckIpReport
} | {
page: "shared"
tool: "domain"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: DomainReport
} | {
page: "shared"
tool: "url"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: UrlReport
} | {
page: "shared"
tool: "email"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: EmailReport
} | {
page: "shared"
tool: "dns"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: DnsLookupReport
} | {
page: "shared"
tool: "whois"
target: string
/**
 * When it was looked up
 */
at: string
/**
 * When the link ends
 */
expires_at: string
full: (WhoisDomainReport | WhoisIpReport | WhoisAsnReport)
})

export interface Shapes {
AccountChangeInput: {
change: ("plan" | "credits" | "disabled" | "owner")
value: (string | number | boolean)
reason: string
}
AccountDeletionInput: {
/**
 * The account's, typed as a confirmation
 */
email: string
password: string
totp_code?: string
}
AccountView: {
account: {
id: string
email: string
plan: ("Free" | "Starter" | "Pro" | "Enterprise")
credits_remaining: number
/**
 * Null while a due refill waits for a late payment
 */
credits_reset_at: (string | null)
created_at: string
disabled_at: (string | null)
is_owner: boolean
billing_status: (string | null)
}
keys: {
id: string
name: string
prefix: string
state: ("active" | "expired" | "revoked")
created_at: string
last_used_at: (string | null)
revoked_at: (string | null)
/**
 * dashboard: what a session pays its lookups by; it has no text, counts for no limit and ends with it
 */
kind: ("api" | "dashboard")
/**
 * From then on the key is refused; null: never
 */
expires_at: (string | null)
/**
 * CIDRs that calls may come from; null: any
 */
networks: (string[] | null)
/**
 * Products that it may call; null: all
 */
products: (string[] | null)
/**
 * Id of the key that replaced it
 */
replaced_by: (string | null)
calls_30_days: number
}[]
last_30_days: {
calls: number
credits: number
/**
 * Answered with 4xx
 */
refused: number
/**
 * Answered with 5xx
 */
failed: number
}
audit: {
id: string
at: string
actor: string
action: string
account_id: (string | null)
account_email: (string | null)
reason: (string | null)
detail: {
[k: string]: unknown
}
}[]
}
AccountsView: {
accounts: {
id: string
email: string
plan: ("Free" | "Starter" | "Pro" | "Enterprise")
credits_remaining: number
/**
 * Null while a due refill waits for a late payment
 */
credits_reset_at: (string | null)
created_at: string
disabled_at: (string | null)
is_owner: boolean
billing_status: (string | null)
}[]
/**
 * Of all that match
 */
total: number
}
AlertsInput: {
/**
 * A mail when fewer credits than this percentage of the cycle's are left; 0: none
 */
credits_percent: number
/**
 * A mail about a sign-in from a new network
 */
sign_in: boolean
/**
 * For owners: a mail about a source that was not well for a day
 */
sources: boolean
}
AlertsView: {
/**
 * A mail when fewer credits than this percentage of the cycle's are left; 0: none
 */
credits_percent: number
/**
 * A mail about a sign-in from a new network
 */
sign_in: boolean
/**
 * For owners: a mail about a source that was not well for a day
 */
sources: boolean
}
AuditView: {
audit: {
id: string
at: string
actor: string
action: string
account_id: (string | null)
account_email: (string | null)
reason: (string | null)
detail: {
[k: string]: unknown
}
}[]
total: number
}
BillingView: {
/**
 * False: plans are set by the operator
 */
is_on: boolean
subscription: Subscription
/**
 * Changes and cancelling go through the provider's portal
 */
has_subscription: boolean
/**
 * While a payment is late: when the plan ends unless it is paid
 */
grace_ends_at: (string | null)
plans: {
name: ("Free" | "Starter" | "Pro" | "Enterprise")
credits_per_month: number
requests_per_second: number
max_api_keys: number
price_usd_per_month: number
/**
 * Whether the plan has a price here, and its payment would be told to the service
 */
can_buy: boolean
}[]
}
CheckoutInput: {
plan: ("Free" | "Starter" | "Pro" | "Enterprise")
}
Done: {
done: true
}
FeedSwitchInput: {
value: (boolean | null)
/**
 * Kept in the audit log
 */
reason: string
}
FeedTrialView: {
outcome: ("ok" | "failed")
entries: (number | null)
dropped: (number | null)
samples: string[]
detail: (string | null)
elapsed_ms: number
/**
 * Engines of its target that are on
 */
engines_now: number
/**
 * The same with it
 */
engines_then: number
}
FeedView: {
key: string
name: string
kind: string
target: string
status: string
/**
 * Null for who is not an owner, where the operator configured the source, and of a shipped table
 */
entries: (number | null)
/**
 * Null where entries is
 */
dropped: (number | null)
data_age_s: (number | null)
last_success: (string | null)
last_attempt: (string | null)
last_error: (string | null)
next_attempt: (string | null)
changed_at: (string | null)
seed: boolean
/**
 * Null for what is asked live
 */
refresh_minutes: (number | null)
/**
 * The last attempts, newest first
 */
tries: {
at: string
outcome: string
detail: (string | null)
elapsed_ms: (number | null)
}[]
/**
 * Kind of the reason why the catalogue has it off
 */
disabled_class: (string | null)
disabled_reason: (string | null)
/**
 * Null of the operator's own
 */
licence: ({
/**
 * SPDX identifier; null: the terms have none, or are not stated
 */
spdx: (string | null)
/**
 * Where the terms stand, or the publisher is
 */
url: (string | null)
/**
 * Whether commercial use is allowed
 */
commercial: ("yes" | "no" | "unknown")
/**
 * Whether the list may be passed on
 */
redistribution: ("yes" | "no" | "unknown")
} | null)
publisher: (string | null)
/**
 * What to put into the configuration to switch it on; null where it is on, or nothing does
 */
line: (string | null)
/**
 * How an owner switched it, before whatever the configuration says
 */
owner_switch: (("on" | "off") | null)
}
FeedsView: {
feeds: {
key: string
name: string
kind: string
target: string
status: string
/**
 * Null for who is not an owner, where the operator configured the source, and of a shipped table
 */
entries: (number | null)
/**
 * Null where entries is
 */
dropped: (number | null)
data_age_s: (number | null)
last_success: (string | null)
last_attempt: (string | null)
last_error: (string | null)
next_attempt: (string | null)
changed_at: (string | null)
seed: boolean
/**
 * Null for what is asked live
 */
refresh_minutes: (number | null)
/**
 * The last attempts, newest first
 */
tries: {
at: string
outcome: string
detail: (string | null)
elapsed_ms: (number | null)
}[]
/**
 * Kind of the reason why the catalogue has it off
 */
disabled_class: (string | null)
disabled_reason: (string | null)
/**
 * Null of the operator's own
 */
licence: ({
/**
 * SPDX identifier; null: the terms have none, or are not stated
 */
spdx: (string | null)
/**
 * Where the terms stand, or the publisher is
 */
url: (string | null)
/**
 * Whether commercial use is allowed
 */
commercial: ("yes" | "no" | "unknown")
/**
 * Whether the list may be passed on
 */
redistribution: ("yes" | "no" | "unknown")
} | null)
publisher: (string | null)
/**
 * What to put into the configuration to switch it on; null where it is on, or nothing does
 */
line: (string | null)
/**
 * How an owner switched it, before whatever the configuration says
 */
owner_switch: (("on" | "off") | null)
}[]
}
KeyInput: {
name: string
/**
 * A time with its zone, a day or a duration such as 90d; null: never
 */
expires_at?: (string | null)
/**
 * 1 to 50 CIDRs or addresses; null: any
 */
networks?: (string[] | null)
/**
 * Names or paths of products; null: all
 */
products?: (string[] | null)
}
KeyRollInput: {
/**
 * How long the old key works on: 0 to 604800, one day unless given
 */
overlap_s?: number
/**
 * Of the new key; the old one's unless given
 */
expires_at?: (string | null)
}
KeyUpdateInput: {
name?: string
/**
 * A time with its zone, a day or a duration such as 90d; null: never
 */
expires_at?: (string | null)
/**
 * 1 to 50 CIDRs or addresses; null: any
 */
networks?: (string[] | null)
/**
 * Names or paths of products; null: all
 */
products?: (string[] | null)
}
KeysView: {
keys: {
id: string
name: string
prefix: string
state: ("active" | "expired" | "revoked")
created_at: string
last_used_at: (string | null)
revoked_at: (string | null)
/**
 * dashboard: what a session pays its lookups by; it has no text, counts for no limit and ends with it
 */
kind: ("api" | "dashboard")
/**
 * From then on the key is refused; null: never
 */
expires_at: (string | null)
/**
 * CIDRs that calls may come from; null: any
 */
networks: (string[] | null)
/**
 * Products that it may call; null: all
 */
products: (string[] | null)
/**
 * Id of the key that replaced it
 */
replaced_by: (string | null)
calls_30_days: number
/**
 * E-mail of the person who made it; null: the operator, or they left
 */
made_by: (string | null)
/**
 * Whether this session's person may change, roll and revoke it
 */
may_change: boolean
}[]
/**
 * Keys of kind api that work, without those that were replaced
 */
active: number
max: number
/**
 * Products that a key can be limited to
 */
products: string[]
}
NewKeyView: {
id: string
name: string
prefix: string
/**
 * Shown this once
 */
key: string
}
OverviewView: {
subscription: Subscription
today: {
calls: number
credits: number
/**
 * Answered with 4xx
 */
refused: number
/**
 * Answered with 5xx
 */
failed: number
}
yesterday: {
calls: number
credits: number
/**
 * Answered with 4xx
 */
refused: number
/**
 * Answered with 5xx
 */
failed: number
}
/**
 * The last ten
 */
last_calls: {
/**
 * Of refused calls the start of their minute
 */
at: string
/**
 * Null: the row stands for all calls of the endpoint that the limits refused (429) in the minute that begins at `at`
 */
request_id: (string | null)
endpoint: string
/**
 * 1, or how many were refused in the minute
 */
calls: number
/**
 * Null where request_id is
 */
key_prefix: (string | null)
/**
 * Null where request_id is
 */
target_kind: (string | null)
/**
 * Only kept with usage.store_targets
 */
target: (string | null)
items: number
status: number
credits: number
/**
 * Null where request_id is
 */
elapsed_ms: (number | null)
/**
 * The kept answer; null where there is none
 */
result_id: (string | null)
}[]
steps: {
has_key: boolean
has_call: boolean
}
}
RedirectView: {
/**
 * Where the browser goes next
 */
url: string
}
RevokedKeyView: {
done: true
/**
 * Sessions of the dashboard that it opened
 */
ended_sessions: number
/**
 * What its sessions did, newest first
 */
made: {
id: string
at: string
actor: string
action: string
account_id: (string | null)
account_email: (string | null)
reason: (string | null)
detail: {
[k: string]: unknown
}
}[]
}
RolledKeyView: {
id: string
name: string
prefix: string
/**
 * Shown this once
 */
key: string
replaced: {
prefix: string
/**
 * Null: it has stopped
 */
works_until: (string | null)
}
}
SessionView: {
/**
 * Null: not signed in
 */
account: ({
id: string
email: string
plan: ("Free" | "Starter" | "Pro" | "Enterprise")
/**
 * Who signed in; null: an API key did
 */
person: ({
id: string
email: string
role: ("owner" | "member" | "viewer")
} | null)
/**
 * May do what owners of the installation do; their own account's owner is person.role
 */
is_owner: boolean
has_password: boolean
has_totp: boolean
/**
 * This session only reads: it was opened by an API key, or its person is a viewer
 */
is_reader: boolean
/**
 * Null without an authenticator
 */
recovery_codes_left: (number | null)
/**
 * False: no link mailed to the address was opened yet, and there are no keys, credits or authenticator
 */
is_proved: boolean
} | null)
/**
 * Goes into the header X-CSRF-Token of every call that changes something
 */
csrf_token: (string | null)
signup: ("open" | "closed")
/**
 * Whether an API key signs in
 */
key_sign_in: ("read" | "off")
has_billing: boolean
/**
 * How long answers to lookups on the pages are kept; 0: none are
 */
kept_result_days: number
/**
 * Whether a lost password can be reset by mail
 */
has_mail: boolean
}
SessionsView: {
sessions: {
id: string
created_at: string
last_seen_at: string
expires_at: string
client_address: string
user_agent: string
is_current: boolean
}[]
}
OpenInput: {
token: string
password: string
}
PasswordInput: {
/**
 * Absent only where the account has none yet
 */
current_password?: string
new_password: string
}
RecoveryCodes: {
/**
 * Each opens once in place of a code. Shown this once
 */
recovery_codes: string[]
}
ResetInput: {
token: string
new_password: string
/**
 * Or a recovery code. Without it the new password is set, and signing in asks for one
 */
totp_code?: string
/**
 * Ids of the keys and access tokens to be revoked with it
 */
revoke_keys?: string[]
}
ResetLink: {
email: string
/**
 * False: this link proves the address, revokes all keys and tokens and takes an authenticator off
 */
is_proved: boolean
/**
 * Whether signing in asks for a code of the authenticator, also afterwards
 */
needs_totp: boolean
/**
 * The keys that work, oldest first, then access tokens; those of sessions end with them
 */
keys: {
id: string
name: string
prefix: string
created_at: string
last_used_at: (string | null)
}[]
}
ResetRequestInput: {
email: string
}
SignInInput: {
email?: string
password?: string
/**
 * Or a recovery code
 */
totp_code?: string
api_key?: string
}
SignUpInput: {
email: string
}
SignUpLink: {
email: string
}
TokenInput: {
token: string
}
TotpInput: {
totp_code: string
}
TotpStart: {
/**
 * Base32
 */
secret: string
/**
 * otpauth://totp/…
 */
uri: string
}
TotpStartInput: {
/**
 * Wanted where there is a password, unless it opened this session in the last 15 minutes
 */
current_password?: string
}
InvitationView: {
email: string
/**
 * owner: everything; member: lookups and keys of their own; viewer: reading alone
 */
role: ("owner" | "member" | "viewer")
/**
 * The account's e-mail
 */
account: string
invited_by: string
}
InviteInput: {
email: string
/**
 * owner: everything; member: lookups and keys of their own; viewer: reading alone
 */
role: ("owner" | "member" | "viewer")
}
InvitedView: {
/**
 * The link, shown this once; null: it was mailed
 */
path: (string | null)
}
PeopleView: {
people: {
id: string
email: string
/**
 * owner: everything; member: lookups and keys of their own; viewer: reading alone
 */
role: ("owner" | "member" | "viewer")
created_at: string
is_you: boolean
has_totp: boolean
/**
 * Null: signed in nowhere now
 */
last_seen_at: (string | null)
/**
 * Working API keys that they made
 */
keys: number
}[]
/**
 * Those not accepted yet; for owners alone, others see none
 */
invitations: {
id: string
email: string
/**
 * owner: everything; member: lookups and keys of their own; viewer: reading alone
 */
role: ("owner" | "member" | "viewer")
invited_by: string
created_at: string
expires_at: string
}[]
/**
 * People an account may have, those who are invited counted
 */
max: number
}
RemovalInput: {
/**
 * Whether the keys and tokens that they made go on working; false unless given
 */
keep_keys?: boolean
}
RoleInput: {
/**
 * owner: everything; member: lookups and keys of their own; viewer: reading alone
 */
role: ("owner" | "member" | "viewer")
/**
 * The same, for who becomes a viewer; of other roles all go on working
 */
keep_keys?: boolean
}
UsageHoursView: {
day: string
rows: {
endpoint: string
key_id: string
key_prefix: string
key_name: string
status: number
calls: number
items: number
credits: number
/**
 * 0 to 23, in UTC
 */
hour: number
}[]
/**
 * Calls that are in no row: there are at most 20,000 rows
 */
left_out: number
latency: {
endpoint: string
/**
 * Answered ones
 */
calls: number
/**
 * Half of them took at most that
 */
p50_ms: number
/**
 * Of a hundred, 95 took at most that
 */
p95_ms: number
}[]
/**
 * Hours with an answered call
 */
latency_by_hour: {
hour: number
/**
 * Answered ones
 */
calls: number
/**
 * Half of them took at most that
 */
p50_ms: number
/**
 * Of a hundred, 95 took at most that
 */
p95_ms: number
}[]
}
UsageView: {
from: string
to: string
rows: {
day: string
endpoint: string
key_id: string
key_prefix: string
key_name: string
status: number
calls: number
items: number
credits: number
}[]
}
NewTokenView: {
id: string
name: string
prefix: string
/**
 * Shown this once
 */
token: string
}
TokenCreationInput: {
name: string
/**
 * 1 to 50: gate, decisions, or exports:NAME
 */
scopes: string[]
/**
 * A time with its zone, a day or a duration such as 90d; null: never
 */
expires_at?: (string | null)
/**
 * 1 to 50 CIDRs or addresses; null: any
 */
networks?: (string[] | null)
}
TokensView: {
tokens: {
id: string
name: string
prefix: string
state: ("active" | "expired" | "revoked")
/**
 * gate, decisions, or exports: with the name of an export
 */
scopes: string[]
/**
 * CIDRs that calls may come from; null: any
 */
networks: (string[] | null)
created_at: string
/**
 * From then on the token is refused; null: never
 */
expires_at: (string | null)
last_used_at: (string | null)
revoked_at: (string | null)
}[]
/**
 * Owners alone create tokens: what they are for costs no credits
 */
may_create: boolean
}
ExportView: {
name: string
kind: ("block" | "allow")
target: ("ip" | "domain" | "url" | "email")
served: boolean
/**
 * Why nothing of it is served
 */
closed_reason: (string | null)
/**
 * When a build last found its content to be right
 */
checked_at: (string | null)
/**
 * A generation that is held back
 */
held: ({
/**
 * When this was first found
 */
since: string
reason: ("halved" | "too_few")
/**
 * That it would hold
 */
entries: number
/**
 * That it must hold at least
 */
needed: number
} | null)
/**
 * Why the last build failed
 */
fault: ({
at: string
message: string
} | null)
generation: (number | null)
made_at: (string | null)
entries: (number | null)
ipv4_entries: (number | null)
ipv6_entries: (number | null)
challenged_entries: (number | null)
min_score: number
/**
 * The policy whose blocks are exported; null: it goes by its own `min_score`
 */
policy: (string | null)
cut_by_limit: (number | null)
subtracted: ({
allowlists: number
shared_infrastructure: number
overrides: number
} | null)
promoted_addresses: (number | null)
sources: {
key: string
name: string
licence: {
spdx: (string | null)
redistribution: ("yes" | "no" | "unknown")
}
/**
 * When the generation was made
 */
data_age_s: (number | null)
refresh_minutes: number
}[]
/**
 * Engines that are asked live and have no list to export
 */
not_exportable: string[]
formats: {
format: string
title: string
/**
 * Null: not asked for yet
 */
bytes: (number | null)
gzip_bytes: (number | null)
sha256: (string | null)
/**
 * Entries that the format cannot hold
 */
dropped: (number | null)
}[]
}
ExportsView: {
exports: {
name: string
kind: ("block" | "allow")
target: ("ip" | "domain" | "url" | "email")
served: boolean
/**
 * Why nothing of it is served
 */
closed_reason: (string | null)
/**
 * When a build last found its content to be right
 */
checked_at: (string | null)
/**
 * A generation that is held back
 */
held: ({
/**
 * When this was first found
 */
since: string
reason: ("halved" | "too_few")
/**
 * That it would hold
 */
entries: number
/**
 * That it must hold at least
 */
needed: number
} | null)
/**
 * Why the last build failed
 */
fault: ({
at: string
message: string
} | null)
generation: (number | null)
made_at: (string | null)
entries: (number | null)
ipv4_entries: (number | null)
ipv6_entries: (number | null)
challenged_entries: (number | null)
min_score: number
/**
 * The policy whose blocks are exported; null: it goes by its own `min_score`
 */
policy: (string | null)
cut_by_limit: (number | null)
subtracted: ({
allowlists: number
shared_infrastructure: number
overrides: number
} | null)
promoted_addresses: (number | null)
sources: {
key: string
name: string
licence: {
spdx: (string | null)
redistribution: ("yes" | "no" | "unknown")
}
/**
 * When the generation was made
 */
data_age_s: (number | null)
refresh_minutes: number
}[]
/**
 * Engines that are asked live and have no list to export
 */
not_exportable: string[]
formats: {
format: string
title: string
/**
 * Null: not asked for yet
 */
bytes: (number | null)
gzip_bytes: (number | null)
sha256: (string | null)
/**
 * Entries that the format cannot hold
 */
dropped: (number | null)
}[]
}[]
}
OwnExportsView: {
exports: {
name: string
kind: ("block" | "allow")
target: ("ip" | "domain" | "url" | "email")
served: boolean
/**
 * Why nothing of it is served
 */
closed_reason: (string | null)
/**
 * When a build last found its content to be right
 */
checked_at: (string | null)
/**
 * A generation that is held back
 */
held: ({
/**
 * When this was first found
 */
since: string
reason: ("halved" | "too_few")
/**
 * That it would hold
 */
entries: number
/**
 * That it must hold at least
 */
needed: number
} | null)
/**
 * Why the last build failed
 */
fault: ({
at: string
message: string
} | null)
generation: (number | null)
made_at: (string | null)
entries: (number | null)
ipv4_entries: (number | null)
ipv6_entries: (number | null)
challenged_entries: (number | null)
min_score: number
/**
 * The policy whose blocks are exported; null: it goes by its own `min_score`
 */
policy: (string | null)
cut_by_limit: (number | null)
subtracted: ({
allowlists: number
shared_infrastructure: number
overrides: number
} | null)
promoted_addresses: (number | null)
sources: {
key: string
name: string
licence: {
spdx: (string | null)
redistribution: ("yes" | "no" | "unknown")
}
/**
 * When the generation was made
 */
data_age_s: (number | null)
refresh_minutes: number
}[]
/**
 * Engines that are asked live and have no list to export
 */
not_exportable: string[]
formats: {
format: string
title: string
/**
 * Null: not asked for yet
 */
bytes: (number | null)
gzip_bytes: (number | null)
sha256: (string | null)
/**
 * Entries that the format cannot hold
 */
dropped: (number | null)
}[]
/**
 * Last fetch of each consumer in thirty days, the newest first
 */
fetches: {
/**
 * Beginning of the token
 */
token: string
address: (string | null)
user_agent: (string | null)
format: string
at: string
/**
 * Generation that the consumer has since then
 */
generation: number
/**
 * It had that generation before: 304
 */
unchanged: boolean
}[]
/**
 * Bouncers that this process answered since its start, the latest first
 */
bouncers: {
/**
 * First characters of its token
 */
token: string
address: string
user_agent: string
last_answer_at: string
/**
 * That it was last sent
 */
generation: number
/**
 * Entries that it was not told, since it cannot enforce them; null: not known yet
 */
not_enforceable: (number | null)
}[]
}[]
}
NewRunView: {
id: string
}
RunInput: {
name: string
/**
 * Heads of the columns
 * 
 * @maxItems 50
 */
columns: string[]
}
RunItemsView: {
items: {
line: number
cells: string[]
product: (string | null)
/**
 * As it was read; of an invalid line, as it was given
 */
target: (string | null)
state: ("waiting" | "done" | "failed" | "invalid" | "repeated")
/**
 * The line with the answer of a repeated one
 */
same_as: (number | null)
note: (string | null)
/**
 * Null where the product has no score
 */
verdict: (string | null)
score: (number | null)
detections: (number | null)
engines: (number | null)
/**
 * The kept answer
 */
result_id: (string | null)
}[]
}
RunLinesInput: {
/**
 * Number of the first row in the file
 */
first_line: number
/**
 * The column to look up, from 0
 */
column: number
/**
 * The product that domain names are looked up with
 */
domains_as: ("domain-reputation" | "dns-lookup" | "whois-lookup")
/**
 * Cells of each line; an empty list is left out
 * 
 * @maxItems 10000
 */
rows: string[][]
}
RunView: {
run: {
id: string
name: string
/**
 * Heads of the given columns
 */
columns: string[]
state: ("draft" | "running" | "paused" | "done" | "cancelled")
/**
 * Why it is paused
 */
reason: (("credits" | "session" | "fault") | null)
created_at: string
changed_at: string
lines: {
/**
 * Lines
 */
waiting: number
/**
 * Lines
 */
done: number
/**
 * Lines
 */
failed: number
/**
 * Lines
 */
invalid: number
/**
 * Lines
 */
repeated: number
}
/**
 * Charged so far
 */
credits: number
/**
 * What the waiting lines cost
 */
cost_left: number
/**
 * At the present speed; null: not known, or it does not run
 */
seconds_left: (number | null)
/**
 * Answered lines by the word of their verdict
 */
verdicts: {
[k: string]: number
}
}
}
RunsView: {
/**
 * Newest first, without drafts
 */
runs: {
id: string
name: string
/**
 * Heads of the given columns
 */
columns: string[]
state: ("draft" | "running" | "paused" | "done" | "cancelled")
/**
 * Why it is paused
 */
reason: (("credits" | "session" | "fault") | null)
created_at: string
changed_at: string
lines: {
/**
 * Lines
 */
waiting: number
/**
 * Lines
 */
done: number
/**
 * Lines
 */
failed: number
/**
 * Lines
 */
invalid: number
/**
 * Lines
 */
repeated: number
}
/**
 * Charged so far
 */
credits: number
/**
 * What the waiting lines cost
 */
cost_left: number
/**
 * At the present speed; null: not known, or it does not run
 */
seconds_left: (number | null)
/**
 * Answered lines by the word of their verdict
 */
verdicts: {
[k: string]: number
}
}[]
max_lines: number
/**
 * 0: this installation keeps no results, and takes no runs
 */
kept_days: number
}
ResultsView: {
/**
 * Newest first
 */
results: {
id: string
/**
 * When it was looked up
 */
at: string
request_id: string
product: string
target: string
/**
 * Null where the product has no score
 */
verdict: (string | null)
score: (number | null)
detections: (number | null)
engines: (number | null)
/**
 * The bulk run that it is part of
 */
run_id: (string | null)
}[]
/**
 * Of all that match
 */
total: number
/**
 * 0: this installation keeps none
 */
kept_days: number
}
ResultView: {
result: {
id: string
/**
 * When it was looked up
 */
at: string
request_id: string
product: string
target: string
/**
 * Null where the product has no score
 */
verdict: (string | null)
score: (number | null)
detections: (number | null)
engines: (number | null)
/**
 * The bulk run that it is part of
 */
run_id: (string | null)
/**
 * The body that asked for it
 */
question: {
[k: string]: unknown
}
/**
 * When it is deleted
 */
expires_at: string
/**
 * `data` of the answer, as it was then
 */
report: {
[k: string]: unknown
}
}
/**
 * Links that still open
 */
shares: {
id: string
created_at: string
expires_at: string
}[]
}
ShareInput: {
/**
 * How long the link opens: 1 to 90 days
 */
days: number
}
NewShareView: {
id: string
created_at: string
expires_at: string
/**
 * Path of the page, with the token that is shown this once
 */
path: string
}
GuidePage: GuidePage
HomePage: HomePage
PageProblem: PageProblem
PricingPage: PricingPage
ProblemPage: ProblemPage
PublicPage: (HomePage | ToolPage | SharedPage | PricingPage | GuidePage | UsePage | ReferencePage | StatusPage | SourcesPage | ProblemPage)
SharedPage: SharedPage
Source: {
key: string
name: string
kind: string
/**
 * Null, as all below, where the operator configured the engine
 */
target: (string | null)
status: string
entries: (number | null)
data_age_s: (number | null)
/**
 * When it answered last with data of its age
 */
last_success: (string | null)
last_error: (string | null)
seed: boolean
}
SourcesPage: SourcesPage
StatusPage: StatusPage
ToolPage: ToolPage
UsePage: UsePage
Subscription: Subscription
BulkReport: BulkReport
CheckIpReport: CheckIpReport
FreeCheckIpReport: FreeIpReport
DomainReputationReport: DomainReport
FreeDomainReputationReport: FreeDomainReport
UrlReputationReport: UrlReport
EmailReputationReport: EmailReport
FreeEmailReputationReport: FreeEmailReport
DnsLookupReport: DnsLookupReport
FreeDnsLookupReport: FreeDnsLookupReport
WhoisLookupReport: (WhoisDomainReport | WhoisIpReport | WhoisAsnReport)
FreeWhoisLookupReport: FreeWhoisReport
}
/**
 * Plan and balance of the account
 */
export interface Subscription {
/**
 * Name of the plan
 */
plan: ("Free" | "Starter" | "Pro" | "Enterprise")
/**
 * How the subscription stands, in the words of the payment provider; null without one
 */
billing_status: (string | null)
/**
 * Credits that are left
 */
credits_remaining: number
/**
 * Credits of the plan in a cycle of 30 days
 */
credits_per_month: number
/**
 * When the balance refills, ISO 8601; null while a due refill waits for a late payment
 */
credits_reset_at: (string | null)
/**
 * When the paid period ends, ISO 8601; null without a subscription
 */
current_period_end: (string | null)
/**
 * Whether the subscription ends with the paid period
 */
cancel_at_period_end: boolean
/**
 * Calls a second, and at once, on each endpoint
 */
rate_limit_per_second: number
/**
 * API keys that may work at the same time
 */
max_api_keys: number
}
export interface GuidePage {
page: "guide"
products: {
name: string
summary: string
description: string
price: number
has_bulk: boolean
free_path: (string | null)
example: {
[k: string]: unknown
}
}[]
}
export interface HomePage {
page: "home"
asked: string
/**
 * Why what was asked leads nowhere
 */
fault: (string | null)
/**
 * Enabled ones, without allowlists
 */
engines: number
}
export interface PageProblem {
status: number
message: string
request_id: string
/**
 * When it goes on
 */
retry_after_s: (number | null)
}
export interface PricingPage {
page: "pricing"
/**
 * False: no plan can be bought, and plans have no prices
 */
has_billing: boolean
/**
 * Whether strangers open Free accounts here
 */
can_sign_up: boolean
plans: {
name: ("Free" | "Starter" | "Pro" | "Enterprise")
credits_per_month: number
requests_per_second: number
max_api_keys: number
/**
 * On URL reputation and the bulk endpoints
 */
half_requests_per_second: number
/**
 * Null: this installation does not sell it
 */
price_usd_per_month: (number | null)
}[]
products: {
name: string
summary: string
price: number
}[]
}
export interface ProblemPage {
page: "problem"
problem: PageProblem
}
/**
 * The reduced report of an IP address
 */
export interface FreeIpReport {
/**
 * The address in its one spelling
 */
ip: string
/**
 * As it was sent
 */
input: string
/**
 * What was judged
 */
target_level: "ip"
/**
 * Engines that name the target
 */
detections: number
/**
 * Engines that answered
 */
engines_count: number
/**
 * Detections of the engines that answered, in percent
 */
detection_rate: string
/**
 * The result in one sentence
 */
message: string
/**
 * First PTR name; null when there is none
 */
reverse_dns: (string | null)
/**
 * Holder of the network
 */
isp: string
/**
 * "AS64500"
 */
asn: string
/**
 * Organisation of the network
 */
organization: string
/**
 * Region
 */
region: string
/**
 * City
 */
city: string
/**
 * English name of the country
 */
country: (string | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: (string | null)
/**
 * Degrees north
 */
latitude: (number | null)
/**
 * Degrees east
 */
longitude: (number | null)
/**
 * Whether the address hides who uses it
 */
anonymity: {
/**
 * Open or anonymous proxy
 */
is_proxy: boolean
/**
 * Web-page proxy
 */
is_webproxy: boolean
/**
 * On a list of residential proxy exits
 */
is_residential_proxy: boolean
/**
 * VPN exit or network
 */
is_vpn: boolean
/**
 * Data-centre network
 */
is_hosting: boolean
/**
 * Privacy relay of a platform: no VPN, adds no risk
 */
is_relay: boolean
/**
 * Current Tor exit
 */
is_tor: boolean
}
/**
 * VPN, relay or proxy brand
 */
provider: (string | null)
/**
 * Up to ten: those that name the target first, then by name
 */
engines: FreeEngine[]
/**
 * Engines that apply and are enabled
 */
engines_total: number
/**
 * Engines that are enabled, apply and gave no answer
 */
unanswered_count: number
/**
 * Up to ten of them, by name
 */
unanswered: FreeUnanswered[]
/**
 * Names of the allowlists that name the target
 */
allowlists: string[]
/**
 * Null when the verdict is unknown
 */
risk_score: (number | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface FreeEngine {
/**
 * Name of the list
 */
name: string
/**
 * Whether the list names the target
 */
detected: boolean
/**
 * Page about the entry or the list
 */
reference: (string | null)
/**
 * Of the hit; of the list when nothing was hit
 */
category: ("hijacked" | "c2" | "malware" | "phishing" | "attack" | "abuse" | "spam" | "scanner" | "proxy" | "tor" | "vpn" | "suspicious" | "aggregate" | "policy")
/**
 * How closely its entry matches; null when not detected
 */
level: (("ip" | "network" | "embedded_ipv4" | "domain" | "registered_domain" | "url" | "url_host" | "email") | null)
/**
 * As the publisher dates the entry, ISO 8601
 */
last_seen: (string | null)
/**
 * Seconds since the data was retrieved, or since the publisher's own date
 */
data_age_s: number
/**
 * Older than three times its refresh interval
 */
stale: boolean
}
export interface FreeUnanswered {
/**
 * Name of the engine
 */
name: string
/**
 * Why it gave no answer
 */
status: ("timeout" | "refused" | "error" | "stale" | "self_test_failed")
}
/**
 * How old the data behind the answer is
 */
export interface Freshness {
/**
 * Greatest age among the engines that answered, seconds; of an answer without engines, among all that answered
 */
data_age_s: (number | null)
/**
 * Whether any of that is older than its plan allows; never because of places or networks
 */
stale: boolean
/**
 * Whether any live part came from a cache
 */
cached: boolean
/**
 * ISO 8601
 */
computed_at: string
/**
 * Only where the score rests on lists shipped with the product alone: their month, e.g. 2026-08. It may rise when lists load
 */
bundled_data?: string
sources?: FreshnessSources
}
/**
 * Age of each part; only of answers that rest on engines, and only in the views standard and full
 */
export interface FreshnessSources {
/**
 * The engines that answered
 */
engines: {
/**
 * Of the youngest list that answered; null when none did
 */
newest_age_s: (number | null)
/**
 * Of the oldest
 */
oldest_age_s: (number | null)
/**
 * Engines whose data is stale
 */
stale_count: number
}
/**
 * Where an address is
 */
place: {
/**
 * Of the table of places that was asked; null when none was
 */
age_s: (number | null)
/**
 * Older than its publisher's plan allows
 */
stale: boolean
}
/**
 * Which network an address is in
 */
network: {
/**
 * Of the table of origins and routes; null when none was asked
 */
age_s: (number | null)
/**
 * Older than its publisher's plan allows
 */
stale: boolean
}
/**
 * Registrations of domains, networks and AS numbers
 */
registry: {
/**
 * Of the oldest answer of a registry; null when none was asked or answered
 */
age_s: (number | null)
/**
 * Older than its publisher's plan allows
 */
stale: boolean
}
/**
 * Everything else
 */
other: {
/**
 * Oldest of all else: lists of VPN, hosting, free mail and the like
 */
age_s: (number | null)
/**
 * Older than its publisher's plan allows
 */
stale: boolean
}
}
export interface CheckIpReport {
/**
 * The address in its one spelling (dotted quad, RFC 5952)
 */
ip: string
/**
 * As it was sent
 */
input: string
/**
 * Version of the address
 */
version: ("v4" | "v6")
/**
 * What was judged
 */
target_level: "ip"
blacklists: Blacklists
information: IpInformation
asn: IpAsn
anonymity: IpAnonymity
risk_score: RiskScore
vendor_enrichment?: VendorEnrichment
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
/**
 * What the engines say of the target
 */
export interface Blacklists {
/**
 * Engines that answered, by key: those that name the target with all members, the others in short
 */
engines: {
[k: string]: EngineResult | EngineClear
}
/**
 * How many of them name the target
 */
detections: number
/**
 * How many answered
 */
engines_count: number
/**
 * Share of detections, e.g. "12%"
 */
detection_rate: string
/**
 * Time that asking all engines took, milliseconds
 */
scan_time_ms: number
/**
 * Engines that are enabled, apply and gave no answer, and why
 */
engines_unavailable: EngineUnavailable[]
engines_disabled: EnginesDisabled
/**
 * Engines that apply and are enabled
 */
engines_total: number
/**
 * Share of engines_total that answered with data that is not stale
 */
coverage: number
/**
 * Allowlists that name the target
 */
allowlists: {
[k: string]: EngineResult
}
}
export interface EngineResult {
/**
 * Name of the list
 */
name: string
/**
 * Whether the list names the target
 */
detected: boolean
/**
 * Page about the entry or the list; empty when none is known
 */
reference: string
/**
 * Time the engine took, milliseconds; 0 for compiled lists
 */
elapsed_ms: number
/**
 * How it is asked
 */
kind: ("feed" | "dnsbl" | "allow")
/**
 * Of the hit; of the list when nothing was hit
 */
category: ("hijacked" | "c2" | "malware" | "phishing" | "attack" | "abuse" | "spam" | "scanner" | "proxy" | "tor" | "vpn" | "suspicious" | "aggregate" | "policy")
/**
 * How much one hit says
 */
confidence: ("high" | "medium" | "low")
/**
 * Independent source behind it; a family counts once in the score
 */
family: string
/**
 * What matched, and how closely; null when not detected
 */
matched: ({
/**
 * The list's own entry
 */
value: string
/**
 * How closely the entry matches
 */
level: ("ip" | "network" | "embedded_ipv4" | "domain" | "registered_domain" | "url" | "url_host" | "email")
/**
 * Only of a URL's redirects: index in `redirection.hops` of the hop whose `location` is listed, the number of hops for the redirect that was one too many. Absent: the target itself is listed
 */
hop?: number
} | null)
/**
 * DNS answers in order, or tags of the feed
 */
codes: string[]
/**
 * The list's own words, at most 300 characters
 */
reason: (string | null)
/**
 * As the publisher dates the entry, ISO 8601
 */
first_seen: (string | null)
/**
 * As the publisher dates the entry, ISO 8601
 */
last_seen: (string | null)
/**
 * Seconds since the data was retrieved, or since the publisher's own date
 */
data_age_s: number
/**
 * Older than three times its refresh interval
 */
stale: boolean
/**
 * Answered from the snapshot shipped with the product
 */
seed: boolean
}
export interface EngineClear {
/**
 * Name of the list
 */
name: string
/**
 * The list does not name the target
 */
detected: false
/**
 * The engine's own page; empty when none is known
 */
reference: string
/**
 * Time the engine took, milliseconds; 0 for compiled lists
 */
elapsed_ms: number
/**
 * Seconds since the data was retrieved, or since the publisher's own date
 */
data_age_s: number
/**
 * Older than three times its refresh interval
 */
stale: boolean
}
export interface EngineUnavailable {
/**
 * Key of the engine
 */
key: string
/**
 * Name of the engine
 */
name: string
/**
 * Why it gave no answer, as one word
 */
status: ("timeout" | "refused" | "error" | "stale" | "self_test_failed")
/**
 * When this state began
 */
since: string
/**
 * Why, for people
 */
detail: string
}
/**
 * Engines that are off
 */
export interface EnginesDisabled {
/**
 * Engines that apply to the target and are off: they were not asked
 */
count: number
/**
 * Where each is described
 */
see: string
}
/**
 * Place, network and roles of the address
 */
export interface IpInformation {
/**
 * First PTR name; null when there is none
 */
reverse_dns: (string | null)
/**
 * How the question for the name ended
 */
reverse_dns_status: (("ok" | "nxdomain" | "timeout" | "error") | null)
/**
 * The PTR name resolves back to the address
 */
reverse_dns_confirmed: boolean
/**
 * The country is a member of the European Union
 */
is_eu: boolean
/**
 * AF AN AS EU NA OC SA
 */
continent_code: string
/**
 * English name
 */
continent_name: string
/**
 * ISO 3166-1 alpha-2: where the network is used
 */
country_code: string
/**
 * English short name
 */
country_name: string
/**
 * ISO 4217 code of the country
 */
currency: string
/**
 * English name
 */
currency_name: string
/**
 * English plural, lower case
 */
currency_name_plural: string
/**
 * Symbol in English text
 */
currency_symbol: string
/**
 * Symbol as the country writes it
 */
currency_symbol_native: string
/**
 * Digits only
 */
calling_code: string
/**
 * Flag as an emoji
 */
emoji_flag: string
/**
 * Code points of the flag
 */
emoji_flag_unicode: string
/**
 * Region, only when the source has it
 */
region_name: string
/**
 * City, only when the source has it
 */
city_name: string
/**
 * Degrees north
 */
latitude: number
/**
 * Degrees east
 */
longitude: number
/**
 * Which database the place comes from
 */
geo_source: string
/**
 * How closely the place is known
 */
geo_accuracy: ("city" | "region" | "country" | "none")
/**
 * Holder of the network
 */
isp: string
/**
 * Origin of the covering route, "AS64500"; of several the lowest number
 */
asn: string
/**
 * Special-purpose address that is not globally reachable
 */
is_bogon: boolean
/**
 * What the address is reserved for; null of an ordinary one
 */
special_purpose: ({
/**
 * Purpose, as one word
 */
name: string
/**
 * Document that reserves it
 */
rfc: string
/**
 * IPv4 address that it holds
 */
embedded_ipv4: (string | null)
} | null)
/**
 * On a "do not route or peer" list
 */
is_vendor_drop: boolean
/**
 * Claims to be a crawler and is not
 */
is_fake_bot: boolean
/**
 * Google crawler
 */
is_vendor_bot: boolean
/**
 * Verified search engine crawler
 */
is_search_engine_bot: boolean
/**
 * Named operator whose published range holds the address
 */
related_service_name: string
/**
 * Its domain
 */
related_service_domain: string
/**
 * crawler, monitoring, mail, dns, cdn, cloud, vpn …
 */
related_service_type: string
/**
 * In the published SPF ranges of a large mail provider
 */
is_major_provider_spf_ip: boolean
/**
 * A known public resolver
 */
is_public_dns: boolean
/**
 * Cloud whose range holds the address
 */
cloud_provider: string
/**
 * Its domain
 */
cloud_provider_domain: string
/**
 * AWS service of the range
 */
cloud_vendor_service: string
/**
 * Used by Google's own services
 */
is_vendor_service: boolean
/**
 * CDN or reverse proxy
 */
edge_service: string
/**
 * Its domain
 */
edge_service_domain: string
/**
 * Network of a satellite access provider
 */
is_satellite: boolean
/**
 * Data-centre network
 */
is_hosting: boolean
/**
 * Who uses such addresses
 */
address_type: ("residential" | "mobile" | "business" | "hosting" | "education" | "government" | "unknown")
}
/**
 * The AS that announces the address
 */
export interface IpAsn {
/**
 * "AS64500"; empty when no route covers the address
 */
asn: string
/**
 * Registry handle
 */
asname: string
/**
 * Most specific announced prefix
 */
route: string
/**
 * Whether the AS announces routes
 */
status: ("active" | "inactive" | "unrouted" | "")
/**
 * Organisation
 */
org: string
/**
 * Registry's country of the AS
 */
country_code: string
/**
 * Registration date of the AS
 */
created: string
/**
 * Days since the AS was registered; 0 also where `created` is empty
 */
days_since_created: number
/**
 * Date on which that registration changed last
 */
updated: string
/**
 * Days since then; 0 also where `updated` is empty
 */
days_since_updated: number
/**
 * Postal address, one line
 */
address: string
/**
 * Where to report abuse
 */
abuse_email: string
/**
 * Organisation's web domain
 */
domain: string
/**
 * IPv4 routes that the AS announces
 */
total_ipv4_prefixes: number
/**
 * Distinct IPv4 addresses announced
 */
total_ipv4_ips: number
/**
 * IPv6 routes that the AS announces
 */
total_ipv6_prefixes: number
/**
 * What kind of network it is
 */
type: ("isp" | "hosting" | "business" | "education" | "government" | "")
/**
 * ARIN, RIPE, APNIC, LACNIC, AFRINIC
 */
rir: string
/**
 * All origins of the route
 */
origins: string[]
}
/**
 * Whether the address hides who uses it
 */
export interface IpAnonymity {
/**
 * Open or anonymous proxy
 */
is_proxy: boolean
/**
 * Web-page proxy
 */
is_webproxy: boolean
/**
 * On a list of residential proxy exits
 */
is_residential_proxy: boolean
/**
 * VPN exit or network
 */
is_vpn: boolean
/**
 * Data-centre network
 */
is_hosting: boolean
/**
 * Privacy relay of a platform: no VPN, adds no risk
 */
is_relay: boolean
/**
 * Current Tor exit
 */
is_tor: boolean
/**
 * What the address does in the Tor network
 */
tor_role: (("exit" | "relay") | null)
/**
 * Flag to the lists that set it
 */
sources: {
[k: string]: string[]
}
/**
 * VPN, relay or proxy brand
 */
provider: (string | null)
}
/**
 * The score, and how it is made
 */
export interface RiskScore {
/**
 * 0 to 100
 */
result: number
/**
 * The score as a word
 */
band: ("clean" | "low" | "suspicious" | "elevated" | "high" | "critical")
/**
 * The band, or unknown when too few engines answered with fresh data to say clean
 */
verdict: ("clean" | "low" | "suspicious" | "elevated" | "high" | "critical" | "unknown" | "not_applicable")
/**
 * Share of the independent sources that answered with fresh data, 0 to 1
 */
coverage: number
/**
 * What makes the score, most points first
 */
factors: {
/**
 * Family or signal
 */
key: string
/**
 * Points that it adds to the score, or takes from it
 */
points: number
/**
 * Why, for people
 */
reason: string
/**
 * How much it says by itself, 0 to 1
 */
strength: number
/**
 * Keys of the engines behind it
 */
engines: string[]
}[]
/**
 * What changes the score afterwards: allowlists, caps
 */
adjustments: {
/**
 * Name of the rule
 */
key: string
/**
 * Points that it adds to the score, or takes from it
 */
points: number
/**
 * Why, for people
 */
reason: string
}[]
/**
 * Before adjustments
 */
base: number
/**
 * How the factors make the base
 */
formula: "noisy-or-1"
}
/**
 * Only when an enrichment upstream is configured and answered
 */
export interface VendorEnrichment {
/**
 * Whether the upstream names the target
 */
listed: boolean
/**
 * Data set that names it
 */
dataset: (string | null)
/**
 * Name of the botnet
 */
botname: (string | null)
/**
 * What it was detected as
 */
detection: (string | null)
/**
 * Heuristic that names it
 */
heuristic: (string | null)
/**
 * Rule that names it
 */
rule: (string | null)
/**
 * When it was listed, ISO 8601
 */
listed_at: (string | null)
/**
 * Until when the listing holds, ISO 8601
 */
valid_until: (string | null)
/**
 * How often it was seen
 */
seen_count: (number | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: (string | null)
/**
 * Number of its AS
 */
asn: (number | null)
}
/**
 * The reduced report of a domain
 */
export interface FreeDomainReport {
/**
 * The name as A-labels in lower case
 */
domain: string
/**
 * As it was sent
 */
input: string
/**
 * The name as people read it
 */
domain_unicode: string
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * host: a name below the registered domain
 */
target_level: ("domain" | "host")
/**
 * Whether an engine names the domain
 */
blacklisted: boolean
/**
 * Engines that name the domain
 */
detections: number
/**
 * Engines that answered
 */
engines_count: number
/**
 * Up to ten: those that name the target first, then by name
 */
engines: FreeEngine[]
/**
 * Engines that apply and are enabled
 */
engines_total: number
/**
 * Engines that are enabled, apply and gave no answer
 */
unanswered_count: number
/**
 * Up to ten of them, by name
 */
unanswered: FreeUnanswered[]
/**
 * Names of the allowlists that name the target
 */
allowlists: string[]
/**
 * The result in one sentence
 */
message: string
/**
 * False: the registry has no such registration; null: not known
 */
registered: (boolean | null)
/**
 * Days since the domain was registered; null when that is not known
 */
domain_age_days: (number | null)
/**
 * Name of the registrar
 */
registrar: (string | null)
/**
 * When it was registered, ISO 8601
 */
creation_date: (string | null)
/**
 * When the registration ends, ISO 8601
 */
expiration_date: (string | null)
/**
 * Null when too few engines answered with fresh data
 */
risk_score: (number | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface DomainReport {
/**
 * The name as A-labels in lower case
 */
domain: string
/**
 * As it was sent
 */
input: string
/**
 * The name as people read it
 */
domain_unicode: string
/**
 * By the public suffix list, ICANN and private section
 */
registered_domain: (string | null)
/**
 * host: a name below the registered domain
 */
target_level: ("domain" | "host")
blacklists: Blacklists
dns: DomainDns
whois: WhoisDomainReport
ssl: Certificate
facts: DomainFacts
/**
 * Why many share it, which caps the score where no strong hit stands against it; null: they do not
 */
shared_infrastructure: (string | null)
risk_score: RiskScore
vendor_enrichment?: VendorEnrichment1
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
/**
 * What DNS says of the domain
 */
export interface DomainDns {
/**
 * How asking DNS ended
 */
status: ("ok" | "nxdomain" | "servfail" | "timeout" | "error")
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
a: DnsRecord[]
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
aaaa: DnsRecord[]
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
mx: DnsRecord[]
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
ns: DnsRecord[]
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
txt: DnsRecord[]
/**
 * The first 16 KiB of the type; `unknown_fields` names it when there are more
 */
caa: DnsRecord[]
/**
 * The zone's SOA record
 */
soa: (DnsRecord | null)
/**
 * The first 100
 */
hosts: DomainHost[]
/**
 * Addresses found, and servers too many to ask for theirs, each as one
 */
hosts_total: (number | null)
spf: Spf
dmarc: Dmarc
/**
 * Whether there is one BIMI record, and it names a logo
 */
bimi_present: (boolean | null)
/**
 * Whether there is one MTA-STS record, and it names a policy
 */
mta_sts_present: (boolean | null)
/**
 * Whether there is one TLS-RPT record, and it names an address for reports
 */
tls_rpt_present: (boolean | null)
/**
 * Whether the domain says that it takes no mail (RFC 7505)
 */
null_mx: (boolean | null)
/**
 * A random name below it resolves
 */
wildcard: (boolean | null)
/**
 * DNSSEC of the zone
 */
dnssec: {
/**
 * Whether the zone is signed, and its parent says so
 */
status: (("secure" | "unsigned" | "zone_signed_no_ds" | "broken") | null)
/**
 * The zone publishes DNSKEY records
 */
signed: (boolean | null)
/**
 * DS records at the parent
 */
ds: {
/**
 * Number of the key
 */
key_tag: number
/**
 * Algorithm of the key, IANA number
 */
algorithm: number
/**
 * Algorithm of the digest, IANA number
 */
digest_type: number
/**
 * Hexadecimal
 */
digest: string
}[]
/**
 * When that was asked, ISO 8601
 */
checked_at: (string | null)
}
/**
 * Name that it is an alias of
 */
cname: (string | null)
/**
 * Names that the alias leads through
 */
cname_chain: string[]
/**
 * Whether the alias leads to a name that does not exist
 */
dangling_cname: (boolean | null)
/**
 * Outcome of each type that failed
 */
errors: {
[k: string]: string
}
/**
 * Why nothing was found out; null when DNS answered
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
}
export interface DomainHost {
/**
 * The address
 */
ip: string
/**
 * Whose address: the name's, a mail host's, a name server's
 */
role: ("a" | "mx" | "ns")
/**
 * Name that has the address
 */
name: string
/**
 * Origin of its route, "AS64500"
 */
asn: string
/**
 * Holder of the network
 */
isp: string
/**
 * ISO 3166-1 alpha-2
 */
country_code: string
/**
 * Engines that name the address
 */
detections: number
/**
 * Whether one of them is a strong hit: of an A or AAAA address it is `signal_address_listed`
 */
strong_hit: boolean
}
/**
 * The SPF policy of the domain
 */
export interface Spf {
/**
 * Whether there is an SPF record
 */
present: (boolean | null)
/**
 * The record
 */
record: (string | null)
/**
 * One record; no error in it or in those it includes; at most ten lookups, and two that find nothing
 */
valid: (boolean | null)
/**
 * What the record says of senders that it does not name
 */
all: (("fail" | "softfail" | "neutral" | "pass") | null)
/**
 * DNS lookups that the record needs; more than ten are an error
 */
lookups: (number | null)
/**
 * What is wrong with the record
 */
errors: string[]
}
/**
 * The DMARC policy of the domain
 */
export interface Dmarc {
/**
 * Whether there is a DMARC record
 */
present: (boolean | null)
/**
 * The record
 */
record: (string | null)
/**
 * What receivers are asked to do with mail that fails
 */
policy: (("none" | "quarantine" | "reject") | null)
/**
 * The same for subdomains
 */
subdomain_policy: (("none" | "quarantine" | "reject") | null)
/**
 * Share of the mail that the policy is for, percent
 */
pct: (number | null)
/**
 * Where reports go to
 */
rua: string[]
/**
 * Name that held it
 */
from: (string | null)
/**
 * One record, and no error in it
 */
valid: (boolean | null)
}
/**
 * Registration of the domain
 */
export interface WhoisDomainReport {
/**
 * What was asked about
 */
type: "domain"
/**
 * Normalised query
 */
query: (string | null)
/**
 * As it was sent
 */
input: string
/**
 * The name as A-labels in lower case
 */
domain: string
/**
 * The name as people read it
 */
domain_unicode: string
/**
 * The registration described; differs from domain for a host below it
 */
registered_domain: (string | null)
/**
 * False: the registry says that it is not registered
 */
registered: (boolean | null)
/**
 * Who sold it
 */
registrar: (string | null)
/**
 * Digits
 */
registrar_iana_id: (string | null)
/**
 * Web site of the registrar
 */
registrar_url: (string | null)
/**
 * Where to report abuse to the registrar
 */
registrar_abuse_email: (string | null)
/**
 * The same by telephone
 */
registrar_abuse_phone: (string | null)
/**
 * ISO 8601; the latest registration where the registry names several; null, as the other dates, where it can be read in two ways
 */
creation_date: (string | null)
/**
 * ISO 8601
 */
expiration_date: (string | null)
/**
 * The domain's last change, ISO 8601
 */
updated_date: (string | null)
/**
 * Days since the domain was registered; null when that is not known
 */
domain_age_days: (number | null)
/**
 * Whole calendar months since creation
 */
domain_age_months: (number | null)
/**
 * Whole years since the domain was registered
 */
domain_age_years: (number | null)
/**
 * Lower case, sorted
 */
name_servers: string[]
/**
 * EPP's spellings, sorted
 */
status: string[]
/**
 * Every address found, lower case, sorted
 */
emails: string[]
/**
 * Null when redacted
 */
registrant_name: (string | null)
/**
 * Null when redacted
 */
registrant_organization: (string | null)
/**
 * State or province of the holder
 */
registrant_state: (string | null)
/**
 * Country of the holder
 */
registrant_country: (string | null)
/**
 * Domain of the holder's mailbox
 */
registrant_email_domain: (string | null)
/**
 * At a free mailbox provider
 */
registrant_email_is_free: (boolean | null)
/**
 * Redacted, or a privacy service; null: nothing was said
 */
privacy_protected: (boolean | null)
/**
 * What was redacted
 */
redacted_fields: string[]
/**
 * signedDelegation or unsigned, by the registry, else by DNS
 */
dnssec: (string | null)
/**
 * Whether the zone is signed, by the registry
 */
dnssec_status: (("secure" | "unsigned" | "zone_signed_no_ds" | "broken") | null)
/**
 * The zone publishes DNSKEY records
 */
dnssec_zone_signed: (boolean | null)
/**
 * ISO 8601; refreshed hourly
 */
dnssec_checked_at: (string | null)
/**
 * DS records that the registry has
 */
ds_records: WhoisDsRecord[]
/**
 * Protocol that gave the dates
 */
source: (("rdap" | "whois") | null)
/**
 * Under which the registry answers
 */
terms_of_service_url: (string | null)
/**
 * ok: the registry answered; not_found: not registered; error: no registry answered, not charged
 */
lookup_status: (("ok" | "not_found" | "error") | null)
/**
 * Only of error
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
provenance: WhoisProvenance
/**
 * When the registry answered, ISO 8601
 */
fetched_at: (string | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface WhoisDsRecord {
/**
 * Number of the key
 */
key_tag: number
/**
 * Algorithm of the key, IANA number
 */
algorithm: number
/**
 * Algorithm of the digest, IANA number
 */
digest_type: number
/**
 * Hexadecimal
 */
digest: string
}
/**
 * Where the answer came from
 */
export interface WhoisProvenance {
/**
 * Host that answered
 */
server: (string | null)
/**
 * What was asked over RDAP
 */
url: (string | null)
/**
 * HTTP status of the registry's RDAP server
 */
rdap_status: (number | null)
/**
 * Why WHOIS was asked, one word; null when RDAP answered
 */
fallback_reason: (string | null)
/**
 * The registrar's server that filled gaps
 */
registrar_server: (string | null)
}
/**
 * The certificate of the host
 */
export interface Certificate {
/**
 * How the look at the certificate ended
 */
status: ("ok" | "no_tls" | "timeout" | "error" | "blocked" | "no_address")
/**
 * Chain trusted, host matches, in date; null unless one was seen
 */
valid: (boolean | null)
/**
 * Who it is for
 */
subject: ({
/**
 * Common name
 */
common_name: (string | null)
/**
 * Organisation
 */
organization: (string | null)
/**
 * Country
 */
country: (string | null)
} | null)
/**
 * Who issued it
 */
issuer: ({
/**
 * Common name
 */
common_name: (string | null)
/**
 * Organisation
 */
organization: (string | null)
/**
 * Country
 */
country: (string | null)
} | null)
/**
 * In one line
 */
issuer_name: (string | null)
/**
 * DNS names, the first 100
 */
sans: string[]
/**
 * Names that it holds
 */
sans_count: (number | null)
/**
 * Start of its validity, ISO 8601
 */
valid_from: (string | null)
/**
 * End of its validity, ISO 8601
 */
valid_to: (string | null)
/**
 * Negative after the end
 */
days_left: (number | null)
/**
 * Days since the start of its validity
 */
age_days: (number | null)
/**
 * Days between both
 */
lifetime_days: (number | null)
/**
 * Whether its chain ends at a trusted root
 */
chain_valid: (boolean | null)
/**
 * Its own key signed it, whatever else is wrong with it
 */
self_signed: (boolean | null)
/**
 * Whether it names the host
 */
hostname_match: (boolean | null)
/**
 * Whether its validity has ended
 */
expired: (boolean | null)
/**
 * Whether its validity has not begun
 */
not_yet_valid: (boolean | null)
/**
 * Whether it names a wildcard
 */
wildcard: (boolean | null)
/**
 * Serial number, hexadecimal
 */
serial: (string | null)
/**
 * SHA-256 of the certificate, hexadecimal
 */
fingerprint_sha256: (string | null)
/**
 * Kind of its key
 */
key_type: (string | null)
/**
 * Size of its key, bits
 */
key_bits: (number | null)
/**
 * How it is signed
 */
signature_algorithm: (string | null)
/**
 * As negotiated
 */
protocol: (string | null)
/**
 * Cipher of the connection
 */
cipher: (string | null)
/**
 * Protocol that was agreed on
 */
alpn: (string | null)
/**
 * What went wrong; null when nothing did
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
}
/**
 * What the name itself and lists of names say of the domain
 */
export interface DomainFacts {
/**
 * Top-level domain
 */
tld: string
/**
 * Top-level domain that is abused often
 */
is_risky_tld: boolean
/**
 * The name has letters beyond ASCII
 */
is_idn: boolean
/**
 * A-labels of a name with others than ASCII letters
 */
punycode: (string | null)
/**
 * Looks like a brand or a popular name
 */
is_homoglyph: boolean
/**
 * The name that it spells with look-alike letters
 */
homoglyph_of: (string | null)
/**
 * Looks like the name of a well-known brand
 */
is_lookalike: boolean
/**
 * The name that it looks like
 */
lookalike_of: (string | null)
/**
 * typo: a mistyped letter; combo: the name with a word beside it; tld_swap: under another top-level domain; bitsquat: one bit differs
 */
lookalike_kind: (("typo" | "combo" | "tld_swap" | "bitsquat") | null)
/**
 * The name is a brand's own or related to it, and no lookalike
 */
is_brand_related: boolean
/**
 * The brand's main domain
 */
brand_related_to: (string | null)
/**
 * listed: in the shipped table of the brand's domains; registrant: registered by the brand with a corporate registrar; name_servers, network: all of them are the brand's own; label: the brand's label under another public suffix
 */
brand_related_by: (("listed" | "registrant" | "name_servers" | "network" | "label") | null)
/**
 * Days since the domain was registered; null when that is not known
 */
age_days: (number | null)
/**
 * Younger than 30 days
 */
is_recent: boolean
/**
 * Younger than 7 days
 */
is_very_recent: boolean
/**
 * Parked: a page of advertisements or for sale
 */
is_parked: boolean
/**
 * Who parks it
 */
parked_by: (string | null)
/**
 * A name of a dynamic DNS service
 */
is_dynamic_dns: boolean
/**
 * On free hosting
 */
is_free_hosting: boolean
/**
 * A URL shortener
 */
is_url_shortener: boolean
/**
 * Taken over by people who fight malware
 */
is_sinkholed: boolean
/**
 * Its mailboxes are throwaway ones
 */
is_disposable_email: boolean
/**
 * Rank in the list of popular names; null when it is not known
 */
top_list_rank: (number | null)
/**
 * Whether it is in the list of popular names
 */
in_top_list: boolean
/**
 * Characters of the registered label
 */
label_length: number
/**
 * Digits in the registered label
 */
digits_count: number
/**
 * Hyphens in the registered label
 */
hyphens_count: number
/**
 * Entropy of the registered label, bits
 */
entropy_bits: number
}
/**
 * Only when an enrichment upstream is configured and answered
 */
export interface VendorEnrichment1 {
/**
 * Whether the upstream names the target
 */
listed: boolean
/**
 * Data set that names it
 */
dataset: (string | null)
/**
 * Name of the botnet
 */
botname: (string | null)
/**
 * What it was detected as
 */
detection: (string | null)
/**
 * Heuristic that names it
 */
heuristic: (string | null)
/**
 * Rule that names it
 */
rule: (string | null)
/**
 * When it was listed, ISO 8601
 */
listed_at: (string | null)
/**
 * Until when the listing holds, ISO 8601
 */
valid_until: (string | null)
/**
 * How often it was seen
 */
seen_count: (number | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: (string | null)
/**
 * Number of its AS
 */
asn: (number | null)
}
export interface FreeUrlReport {
/**
 * Normalised: without user information, fragment and the usual port
 */
url: string
/**
 * As it was sent
 */
input: string
target_level: "url"
/**
 * Nothing was fetched: the page and its redirects are not known
 */
is_fetched: false
host: string
is_host_ip: boolean
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * The host's other spelling; null of an address
 */
domain_unicode: (string | null)
blacklisted: boolean
/**
 * Engines that name the URL or its host
 */
detections: number
/**
 * Engines that answered
 */
engines_count: number
message: string
/**
 * Up to ten: those that name the target first, then by name
 */
engines: FreeEngine[]
/**
 * Engines that apply and are enabled
 */
engines_total: number
/**
 * Engines that are enabled, apply and gave no answer
 */
unanswered_count: number
/**
 * Up to ten of them, by name
 */
unanswered: FreeUnanswered[]
/**
 * Names of the allowlists that name the target
 */
allowlists: string[]
/**
 * Days since the domain was registered; null when that is not known
 */
domain_age_days: (number | null)
/**
 * Null when too few engines answered with fresh data
 */
risk_score: (number | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface UrlReport {
/**
 * Normalised: without user information, fragment and the usual port
 */
url: string
/**
 * As it was sent
 */
input: string
/**
 * What was judged
 */
target_level: "url"
/**
 * How fetching the page ended
 */
url_fetch_status: ("ok" | "http_error" | "timeout" | "dns_error" | "connect_error" | "tls_error" | "too_many_redirects" | "redirect_loop" | "too_large" | "blocked" | "invalid_response")
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * The host's other spelling; null of an address
 */
domain_unicode: (string | null)
blacklists: Blacklists
report: UrlPageReport
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
/**
 * What was found of the URL and its page
 */
export interface UrlPageReport {
url_parts: UrlParts
host_info: UrlHostInfo
redirection: UrlRedirection
/**
 * Of the last hop
 */
response: (UrlResponse | null)
/**
 * Of the last hop; null for http
 */
tls: (Certificate | null)
file_type: FileType
/**
 * Null unless the last response is HTML
 */
html_info: (HtmlInfo | null)
html_forms: HtmlForms
resources: UrlResources
site_category: SiteCategory
dns_records: UrlDnsRecords
/**
 * Null of an address
 */
domain_facts: (DomainFacts | null)
security_checks: SecurityChecks
risk_score: RiskScore
fetch: UrlFetch
}
/**
 * The parts of the URL
 */
export interface UrlParts {
/**
 * Scheme of the URL
 */
scheme: ("http" | "https")
/**
 * Whether it contains a user name, which is never shown
 */
userinfo: boolean
/**
 * Host, A-labels in lower case
 */
host: string
/**
 * Host without a leading www
 */
host_nowww: string
/**
 * Host as people read it
 */
host_unicode: string
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * Top-level domain
 */
tld: string
/**
 * Null: the usual one of the scheme
 */
port: (number | null)
/**
 * Path
 */
path: string
/**
 * What follows the question mark
 */
query: string
/**
 * Parameters of the query
 */
query_params_count: number
/**
 * What follows the hash sign
 */
fragment: string
/**
 * Of the path's last segment
 */
extension: string
}
/**
 * The host of the URL and the server that it is on
 */
export interface UrlHostInfo {
/**
 * Whether the host is an address
 */
is_ip: boolean
/**
 * Its addresses
 */
addresses: string[]
/**
 * How finding its addresses ended; blocked: they are not asked about
 */
resolution: ("ok" | "blocked" | "no_address" | "timeout" | "error")
/**
 * Of the address that was used; null when none was
 */
server: (UrlServer | null)
/**
 * Why many share it, which caps the score where no strong hit stands against it; null: they do not
 */
shared_infrastructure: (string | null)
}
export interface UrlServer {
/**
 * The address
 */
ip: string
/**
 * As its holder says, unconfirmed
 */
reverse_dns: (string | null)
/**
 * Two letters of the continent
 */
continent_code: string
/**
 * English name of the continent
 */
continent_name: string
/**
 * ISO 3166-1 alpha-2
 */
country_code: string
/**
 * English name of the country
 */
country_name: string
/**
 * Region
 */
region_name: string
/**
 * City
 */
city_name: string
/**
 * Degrees north
 */
latitude: number
/**
 * Degrees east
 */
longitude: number
/**
 * Holder of the network
 */
isp: string
/**
 * Origin of its route, "AS64500"
 */
asn: string
}
/**
 * The redirects that were followed
 */
export interface UrlRedirection {
/**
 * Whether there was a redirect
 */
found: boolean
/**
 * To another registered domain
 */
external: boolean
/**
 * Each redirect, in order
 */
hops: {
/**
 * The URL that redirected
 */
url: string
/**
 * Its HTTP status
 */
status: number
/**
 * Where it leads
 */
location: string
/**
 * By a header, or by the page
 */
type: ("http" | "meta")
/**
 * Address that answered
 */
ip: string
/**
 * Version of TLS; null for http
 */
tls: (string | null)
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
/**
 * Engines that name `location` or its host
 */
detections: number
/**
 * Those engines
 */
listed_by: Listing[]
/**
 * Allowlists that name `location` or its host
 */
allowed_by: Listing[]
/**
 * Why many share it, which caps the score where no strong hit stands against it; null: they do not
 */
shared_infrastructure: (string | null)
}[]
/**
 * The redirect that was one too many; null when there was none
 */
unfollowed: ({
/**
 * Where it leads
 */
location: string
/**
 * Engines that name `location` or its host
 */
detections: number
/**
 * Those engines
 */
listed_by: Listing[]
/**
 * Allowlists that name `location` or its host
 */
allowed_by: Listing[]
/**
 * Why many share it, which caps the score where no strong hit stands against it; null: they do not
 */
shared_infrastructure: (string | null)
} | null)
/**
 * Redirects that were followed
 */
hops_count: number
/**
 * Where the redirects end
 */
final_url: string
/**
 * Host of the last URL
 */
final_host: string
/**
 * From https to http
 */
downgrade: boolean
/**
 * Where the first hop leads
 */
url: (string | null)
}
export interface Listing {
/**
 * Key of the list
 */
key: string
/**
 * How closely its entry matches
 */
level: ("ip" | "network" | "embedded_ipv4" | "domain" | "registered_domain" | "url" | "url_host" | "email")
}
export interface UrlResponse {
/**
 * HTTP status
 */
code: number
/**
 * The status line
 */
status: string
/**
 * Version of HTTP
 */
http_version: string
/**
 * Lower-case names, values of at most 1 KiB
 */
headers: {
[k: string]: string
}
/**
 * What the server calls itself
 */
server: (string | null)
/**
 * Type that the server named
 */
content_type: (string | null)
/**
 * As announced
 */
content_length_bytes: (number | null)
/**
 * Decoded, as far as it was read
 */
body_bytes: number
/**
 * SHA-256 of what was read, hexadecimal
 */
body_sha256: string
/**
 * Headers that protect readers; null where one is missing
 */
security_headers: {
/**
 * Strict-Transport-Security
 */
hsts: (string | null)
/**
 * Content-Security-Policy
 */
csp: (string | null)
/**
 * X-Frame-Options
 */
x_frame_options: (string | null)
/**
 * X-Content-Type-Options
 */
x_content_type_options: (string | null)
/**
 * Referrer-Policy
 */
referrer_policy: (string | null)
}
}
/**
 * What kind of file the last response is
 */
export interface FileType {
/**
 * By the path
 */
extension: ("HTML" | "PE" | "ELF" | "MACHO" | "APK" | "ZIP" | "RAR" | "7Z" | "PDF" | "OLE" | "OOXML" | "LNK" | "SCRIPT" | "IMAGE" | "TEXT" | "JSON" | "UNKNOWN" | "")
/**
 * By the content type
 */
headers: ("HTML" | "PE" | "ELF" | "MACHO" | "APK" | "ZIP" | "RAR" | "7Z" | "PDF" | "OLE" | "OOXML" | "LNK" | "SCRIPT" | "IMAGE" | "TEXT" | "JSON" | "UNKNOWN" | "")
/**
 * By the first octets
 */
signature: ("HTML" | "PE" | "ELF" | "MACHO" | "APK" | "ZIP" | "RAR" | "7Z" | "PDF" | "OLE" | "OOXML" | "LNK" | "SCRIPT" | "IMAGE" | "TEXT" | "JSON" | "UNKNOWN" | "")
/**
 * The octets contradict name or server, save harmless pairs
 */
mismatch: boolean
}
export interface HtmlInfo {
/**
 * Title of the page
 */
title: string
/**
 * What the page says about itself to search engines
 */
description: string
/**
 * Its keywords for search engines
 */
keywords: string
/**
 * Language that the page names
 */
lang: string
/**
 * Encoding of the page
 */
charset: string
/**
 * Program that made the page, by its own word
 */
generator: string
/**
 * Address of its icon
 */
favicon_url: (string | null)
/**
 * Address that the page calls its own
 */
canonical_url: (string | null)
/**
 * Whether a reader sees next to nothing
 */
is_empty: boolean
/**
 * Octets of text that a reader sees
 */
text_bytes: number
/**
 * What the page says to search engines
 */
meta_robots: string
/**
 * Whether the page sends its reader on by itself
 */
has_meta_refresh: boolean
/**
 * Links of the page
 */
links_count: number
/**
 * Links to other hosts
 */
external_links_count: number
/**
 * Frames of the page
 */
iframes_count: number
/**
 * Scripts of the page
 */
scripts_count: number
}
/**
 * Forms of the page
 */
export interface HtmlForms {
/**
 * Forms of the page
 */
number_of_total_forms: number
/**
 * Fields of all forms
 */
number_of_total_input_fields: number
/**
 * Whether a form has two fields of text
 */
two_text_inputs_in_a_form: boolean
/**
 * Whether there is a field for a card number
 */
credit_card_field_present: boolean
/**
 * Whether there is a field for a password
 */
password_field_present: boolean
/**
 * Whether there is a field for an e-mail address
 */
email_field_present: boolean
/**
 * Whether there is a field for a telephone number
 */
phone_field_present: boolean
/**
 * Whether there is a field for a one-time code
 */
otp_field_present: boolean
/**
 * Whether there is a field for a file
 */
file_field_present: boolean
/**
 * Whether a form sends to another host
 */
external_action: boolean
/**
 * Whether a form sends without TLS
 */
insecure_action: boolean
/**
 * Where the forms send to
 */
actions: string[]
}
/**
 * What the page loads
 */
export interface UrlResources {
/**
 * Resources that the page loads
 */
count: number
/**
 * Resources of other hosts
 */
external_count: number
/**
 * Other registered domains, most used first, the first 100
 */
domains: {
/**
 * Registered domain
 */
domain: string
/**
 * Resources of it
 */
count: number
/**
 * Lists that name the domain; DNS blacklists are not asked
 */
detections: number
}[]
/**
 * Scripts of other hosts
 */
scripts_external: string[]
/**
 * Frames of other hosts
 */
iframes: string[]
/**
 * Resources loaded without TLS by a page with it
 */
mixed_content_count: number
}
/**
 * What kind of site it is
 */
export interface SiteCategory {
/**
 * On free hosting
 */
is_free_hosting: boolean
/**
 * An anonymising proxy
 */
is_anonymizer: boolean
/**
 * A URL shortener
 */
is_url_shortener: boolean
/**
 * A name of a free dynamic DNS service
 */
is_free_dynamic_dns: boolean
/**
 * Site of a VPN provider
 */
is_vpn_provider: boolean
/**
 * Site for torrents
 */
is_torrent: boolean
/**
 * Site where files are shared
 */
is_file_sharing: boolean
/**
 * Page that collects links of a profile
 */
is_link_in_bio: boolean
/**
 * Whether one of the categories above is risky
 */
is_risky_category: boolean
/**
 * Parked: a page of advertisements or for sale
 */
is_parked: boolean
}
/**
 * DNS records of the host and of its domain
 */
export interface UrlDnsRecords {
/**
 * Of the registered domain
 */
ns: {
/**
 * Name in the record
 */
target: string
/**
 * An address of it
 */
ip: (string | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: string
/**
 * English name of the country
 */
country_name: string
/**
 * Holder of the network
 */
isp: string
}[]
/**
 * Of the registered domain
 */
mx: {
/**
 * Name in the record
 */
target: string
/**
 * An address of it
 */
ip: (string | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: string
/**
 * English name of the country
 */
country_name: string
/**
 * Holder of the network
 */
isp: string
}[]
/**
 * Of the host
 */
cname: ({
/**
 * Name in the record
 */
target: string
/**
 * An address of it
 */
ip: (string | null)
/**
 * ISO 3166-1 alpha-2
 */
country_code: string
/**
 * English name of the country
 */
country_name: string
/**
 * Holder of the network
 */
isp: string
} | null)
}
/**
 * Every check of the URL and its page; one that could not be made is false and in `unknown_fields`
 */
export interface SecurityChecks {
/**
 * The host is an IPv4 address
 */
is_host_an_ipv4: boolean
/**
 * The host is an IPv6 address
 */
is_host_an_ipv6: boolean
/**
 * The host has more than 40 characters
 */
is_uncommon_host_length: boolean
/**
 * The host has four hyphens or more
 */
is_uncommon_dash_char_count: boolean
/**
 * The host has five dots or more
 */
is_uncommon_dot_char_count: boolean
/**
 * The URL is spelled as phishing often is
 */
is_suspicious_url_pattern: boolean
/**
 * Leads to a name like that of a file that often carries malware
 */
is_suspicious_file_extension: boolean
/**
 * The top-level domain has a high share of abuse
 */
is_most_abused_tld: boolean
/**
 * Leads to a name like that of a program
 */
is_uncommon_clickable_url: boolean
/**
 * The port is not the usual one of the scheme
 */
is_non_standard_port: boolean
/**
 * The query holds an e-mail address
 */
is_email_address_on_url_query: boolean
/**
 * A user name stands before the host
 */
has_userinfo: boolean
/**
 * The host has letters beyond ASCII
 */
is_punycode_host: boolean
/**
 * The host is spelled with look-alike letters
 */
is_homoglyph_host: boolean
/**
 * The URL has more than 500 characters
 */
is_url_too_long: boolean
/**
 * The page was fetched
 */
is_url_accessible: boolean
/**
 * The status is 400 or more
 */
is_http_status_error: boolean
/**
 * The status is between 400 and 499
 */
is_http_client_error: boolean
/**
 * The status is between 500 and 599
 */
is_http_server_error: boolean
/**
 * The redirects lead to another registered domain
 */
is_external_redirect: boolean
/**
 * The redirects lead to a search engine
 */
is_redirect_to_search_engine: boolean
/**
 * The redirects lead to Wikipedia
 */
is_redirect_to_wikipedia: boolean
/**
 * A redirect leads from https to http
 */
is_https_downgrade: boolean
/**
 * The certificate is valid for the host
 */
is_valid_https: boolean
/**
 * An engine names the host or its domain
 */
is_domain_blacklisted: boolean
/**
 * The domain imitates a known one, or its name looks drawn at random
 */
is_suspicious_domain: boolean
/**
 * The domain was taken from its owner for abuse
 */
is_sinkholed_domain: boolean
/**
 * The domain was registered less than 30 days ago
 */
is_domain_recent: boolean
/**
 * The domain was registered less than 7 days ago
 */
is_domain_very_recent: boolean
/**
 * The domain has an IPv4 address
 */
is_domain_ipv4_assigned: boolean
/**
 * An IPv4 address of it is private
 */
is_domain_ipv4_private: boolean
/**
 * An IPv4 address of it is a loopback one
 */
is_domain_ipv4_loopback: boolean
/**
 * An IPv4 address of it is reserved for another purpose
 */
is_domain_ipv4_reserved: boolean
/**
 * It has IPv4 addresses, and all are ordinary ones
 */
is_domain_ipv4_valid: boolean
/**
 * The site is on free hosting
 */
is_free_hosting: boolean
/**
 * The host is a name of a dynamic DNS service
 */
is_free_dynamic_dns: boolean
/**
 * The host is a URL shortener
 */
is_url_shortener: boolean
/**
 * The site is of a kind that often brings harm
 */
is_risky_category: boolean
/**
 * The page asks search engines not to list it
 */
is_robots_noindex: boolean
/**
 * The page says that the account is suspended
 */
is_suspended_page: boolean
/**
 * The page has no title
 */
is_empty_page_title: boolean
/**
 * A reader sees next to nothing
 */
is_empty_page_content: boolean
/**
 * The page is an open folder
 */
is_directory_listing: boolean
/**
 * The folder holds Windows programs
 */
is_exe_on_directory_listing: boolean
/**
 * The folder holds archives
 */
is_zip_on_directory_listing: boolean
/**
 * The folder holds PHP programs
 */
is_php_on_directory_listing: boolean
/**
 * The folder holds documents
 */
is_doc_on_directory_listing: boolean
/**
 * The folder holds PDF files
 */
is_pdf_on_directory_listing: boolean
/**
 * The folder holds Android apps
 */
is_apk_on_directory_listing: boolean
/**
 * The page shows the text of a defaced one
 */
is_defaced_heuristic: boolean
/**
 * The page has words that lure people
 */
is_suspicious_content: boolean
/**
 * The page asks for a secret under a brand's name that it does not belong to
 */
is_phishing_heuristic: boolean
/**
 * A form asks for a name and a password
 */
is_login_form: boolean
/**
 * A form asks for a password
 */
is_password_field: boolean
/**
 * A form asks for a payment card
 */
is_credit_card_field: boolean
/**
 * A form sends what is typed to another domain
 */
is_form_to_external_domain: boolean
/**
 * A form sends a password unencrypted
 */
is_password_over_http: boolean
/**
 * A document or archive comes from a folder of a content management system
 */
is_possible_emotet: boolean
/**
 * Name or type of the file deny what it is
 */
is_masked_file: boolean
/**
 * The file is an Office document
 */
is_ms_office_file: boolean
/**
 * The file is a Windows program
 */
is_windows_exe_file: boolean
/**
 * A Windows program under a false name or type
 */
is_masked_windows_exe_file: boolean
/**
 * A Windows program from a bare IPv4 address
 */
is_windows_exe_file_on_ipv4: boolean
/**
 * A Windows program from free hosting
 */
is_windows_exe_file_on_free_hosting: boolean
/**
 * A Windows program from a dynamic DNS name
 */
is_windows_exe_file_on_free_dynamic_dns: boolean
/**
 * The file is a Linux program
 */
is_linux_elf_file: boolean
/**
 * A Linux program under a false name or type
 */
is_masked_linux_elf_file: boolean
/**
 * A Linux program from a bare IPv4 address
 */
is_linux_elf_file_on_ipv4: boolean
/**
 * A Linux program from free hosting
 */
is_linux_elf_file_on_free_hosting: boolean
/**
 * A Linux program from a dynamic DNS name
 */
is_linux_elf_file_on_free_dynamic_dns: boolean
/**
 * The file is an Android app
 */
is_android_apk_file: boolean
/**
 * An Android app from a bare IPv4 address
 */
is_android_apk_file_on_ipv4: boolean
/**
 * An Android app from free hosting
 */
is_android_apk_file_on_free_hosting: boolean
/**
 * An Android app from a dynamic DNS name
 */
is_android_apk_file_on_free_dynamic_dns: boolean
}
/**
 * How the page was fetched
 */
export interface UrlFetch {
/**
 * When the fetch began, ISO 8601
 */
started_at: string
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
/**
 * How the service named itself
 */
user_agent: string
/**
 * Requests that were sent
 */
requests_count: number
/**
 * Octets of the answer that were read
 */
bytes_read: number
/**
 * Whether the answer was longer than what is read
 */
truncated: boolean
/**
 * Why the service did not open it
 */
blocked_reason: (("private_address" | "forbidden_port" | "self") | null)
/**
 * Why there is no answer; null when there is one
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
}
/**
 * The reduced report of an e-mail address
 */
export interface FreeEmailReport {
/**
 * Normalised: domain in lower case, A-labels
 */
email: string
/**
 * As it was sent
 */
input: string
/**
 * The name as people read it
 */
domain_unicode: (string | null)
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * What was judged
 */
target_level: "email"
/**
 * RFC 5321 address under a top-level domain that exists
 */
is_valid_format: boolean
/**
 * Throwaway mailbox
 */
is_disposable: boolean
/**
 * Mailboxes there cost nothing
 */
is_free_provider: boolean
/**
 * The address that was probably meant; null without a guess
 */
did_you_mean: (string | null)
/**
 * The result in one sentence
 */
message: string
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface EmailReport {
/**
 * Normalised: domain in lower case, A-labels
 */
email: string
/**
 * As it was sent
 */
input: string
/**
 * What was judged
 */
target_level: "email"
/**
 * RFC 5321 address under a top-level domain that exists
 */
is_valid_format: boolean
/**
 * What is wrong with the form of the address; null when nothing is
 */
format_error: (("no_at" | "local_part" | "domain" | "too_long" | "tld") | null)
/**
 * The local part has others than ASCII characters
 */
is_smtputf8: boolean
/**
 * Local part without its tag
 */
username: string
/**
 * The one spelling that the provider delivers to
 */
normalized_email: string
/**
 * The local part has a tag
 */
is_tagged: boolean
/**
 * A-labels, lower case
 */
domain: string
/**
 * The other spelling of the domain; null without a valid one
 */
domain_unicode: (string | null)
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * The address with a common domain in place of a mistyped one
 */
did_you_mean: (string | null)
/**
 * Throwaway mailbox
 */
is_disposable: boolean
/**
 * Forwarding alias of a real mailbox; never also disposable
 */
is_privacy_relay: boolean
/**
 * Anybody may open a mailbox there free of charge
 */
is_free_provider: boolean
/**
 * Has a usable MX record
 */
has_mx_records: boolean
/**
 * Mail hosts by priority, then name
 */
mx_records: string[]
/**
 * `none`: no mail host, or none that has an address; null where nothing was looked up
 */
mx_status: (("ok" | "none" | "null_mx" | "implicit_a" | "nxdomain" | "timeout" | "error") | null)
/**
 * Who runs the mail hosts
 */
mx_provider: (string | null)
/**
 * The mail hosts with their addresses
 */
mx_hosts: {
/**
 * Name of the mail host
 */
host: string
/**
 * The lowest is tried first
 */
priority: number
/**
 * Its addresses
 */
ips: string[]
/**
 * Engines that name one of its addresses
 */
detections: number
}[]
/**
 * A post rather than a person
 */
is_role_address: boolean
/**
 * The post, such as sales or abuse
 */
role: (string | null)
/**
 * Mail to it is not read, as to noreply@
 */
is_noreply: boolean
/**
 * The local part looks made up
 */
is_suspicious_username: boolean
/**
 * Why the local part looks made up
 */
username_reasons: ("trailing_digits" | "no_vowels" | "keyboard_run" | "high_entropy" | "test_word")[]
/**
 * SPF policy of the domain; null where DNS was not asked
 */
spf: (Spf | null)
/**
 * DMARC policy of the domain; null where DNS was not asked
 */
dmarc: (Dmarc | null)
/**
 * No DMARC policy in force for the domain, or one of none
 */
is_spoofable: boolean
/**
 * Days since the domain was registered; null when that is not known
 */
domain_age_days: (number | null)
/**
 * Registered less than 30 days ago
 */
is_domain_recent: boolean
/**
 * What kind of domain it is
 */
domain_category: ("corporate" | "education" | "government" | "free" | "relay" | "disposable" | "unknown")
/**
 * The domain has a top-level domain that is abused often
 */
is_risky_tld: boolean
/**
 * Why many share it, which caps the score where no strong hit stands against it; null: they do not
 */
shared_infrastructure: (string | null)
/**
 * What the mail host says; only where the operator has switched that on
 */
smtp: {
/**
 * Whether a mail host was asked
 */
checked: boolean
/**
 * What the mail host said of the mailbox
 */
outcome?: ("deliverable" | "undeliverable" | "catch_all" | "greylisted" | "unknown")
/**
 * Whether the domain takes mail for any local part; null when that is not known
 */
is_catch_all?: (boolean | null)
/**
 * SMTP code of its answer
 */
code?: (number | null)
}
blacklists: Blacklists
risk_score: RiskScore
/**
 * Whether mail would arrive, 0 to 100; at most 20 without a way to deliver
 */
score: number
/**
 * Whether the address should be refused at a sign-up
 */
should_block: boolean
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
/**
 * The reduced answer of DNS
 */
export interface FreeDnsLookupReport {
/**
 * The name as A-labels in lower case, or the address in its one spelling
 */
domain: string
/**
 * As it was sent
 */
input: string
/**
 * The name as people read it
 */
domain_unicode: string
/**
 * The name one below its public suffix
 */
registered_domain: (string | null)
/**
 * Record types that were asked for
 */
record_type: string
/**
 * The result in one sentence
 */
message: string
/**
 * Up to five
 */
records: DnsRecord[]
/**
 * How many there are
 */
records_total: number
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface DnsLookupReport {
/**
 * The name as A-labels in lower case, or the address in its one spelling
 */
domain: string
/**
 * As it was sent
 */
input: string
/**
 * The name as people read it
 */
domain_unicode: string
/**
 * By the public suffix list, private section included
 */
registered_domain: (string | null)
/**
 * The name really asked: of an address its reverse name
 */
query_name: string
/**
 * Every type that was answered, empty when it has no records. A type that failed is not here
 */
records: {
[k: string]: DnsRecord[]
}
/**
 * How each type's question ended
 */
lookups: {
[k: string]: DnsTypeLookup
}
/**
 * NXDOMAIN when any type says so, else NOERROR when any answered
 */
rcode: (string | null)
/**
 * Null when nothing was answered
 */
exists: (boolean | null)
/**
 * Every type that was answered has AD
 */
authenticated_data: boolean
/**
 * Names followed, in order
 */
cname_chain: string[]
/**
 * Types that failed
 */
errors: {
/**
 * Record type
 */
type: ("A" | "AAAA" | "CNAME" | "MX" | "NS" | "TXT" | "SOA" | "CAA" | "SRV" | "PTR" | "DS" | "DNSKEY" | "TLSA" | "HTTPS" | "SVCB" | "NAPTR")
/**
 * How its question ended
 */
outcome: ("ok" | "nodata" | "nxdomain" | "servfail" | "refused" | "timeout" | "error")
/**
 * Why, for people
 */
message: string
}[]
freshness: Freshness
/**
 * Paths of what was asked for and not found out
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface DnsTypeLookup {
/**
 * How the question ended
 */
outcome: ("ok" | "nodata" | "nxdomain" | "servfail" | "refused" | "timeout" | "error")
/**
 * What the resolver answered, e.g. NOERROR; null on time-out
 */
rcode: (string | null)
/**
 * The resolver says that it validated the answer (AD)
 */
authenticated_data: boolean
/**
 * Of a negative answer: zone of its SOA
 */
authority: (string | null)
/**
 * Records received; more than shown when there were too many
 */
records_total: number
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
/**
 * The reduced registration
 */
export interface FreeWhoisReport {
/**
 * Normalised query
 */
query: string
/**
 * As it was sent
 */
input: string
/**
 * The result in one sentence
 */
message: string
/**
 * What was asked about
 */
type: ("domain" | "ip" | "asn")
/**
 * Of a domain alone
 */
domain: (string | null)
/**
 * Who sold it; of a domain alone
 */
registrar: (string | null)
/**
 * ISO 8601
 */
creation_date: (string | null)
/**
 * ISO 8601
 */
expiration_date: (string | null)
/**
 * Days since the domain was registered; null when that is not known
 */
domain_age_days: (number | null)
/**
 * EPP's spellings, sorted; of a domain alone
 */
status: string[]
/**
 * Of a domain alone
 */
name_servers: string[]
/**
 * Of an address alone: the registered network around it
 */
network: (string | null)
/**
 * Of an AS number alone
 */
asn: (number | null)
/**
 * Network or AS name
 */
name: (string | null)
/**
 * Holder of a network or AS number
 */
organization: (string | null)
/**
 * Its country, as the registry has it
 */
country: (string | null)
/**
 * ok: the registry answered; not_found: not registered; error: no registry answered, not charged
 */
lookup_status: (("ok" | "not_found" | "error") | null)
/**
 * Protocol that gave the dates
 */
source: (("rdap" | "whois") | null)
/**
 * Which servers said it
 */
provenance: {
/**
 * Host that answered
 */
server: (string | null)
/**
 * The registrar's server that filled gaps
 */
registrar_server: (string | null)
}
/**
 * When the registry answered, ISO 8601
 */
fetched_at: (string | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface WhoisIpReport {
/**
 * What was asked about
 */
type: "ip"
/**
 * Most specific registered network that holds the query
 */
network: (string | null)
/**
 * First address of the network
 */
start_address: (string | null)
/**
 * Last address of the network
 */
end_address: (string | null)
/**
 * Version of the addresses
 */
ip_version: (number | null)
/**
 * The registry's name of the network
 */
network_name: (string | null)
/**
 * The network as CIDR ranges
 */
cidrs: string[]
/**
 * Of the network around it
 */
parent_handle: (string | null)
/**
 * The registry's word
 */
network_type: (string | null)
/**
 * Normalised query
 */
query: string
/**
 * As it was sent
 */
input: string
/**
 * The registry's own name for it
 */
handle: (string | null)
/**
 * Holder
 */
organization: (string | null)
/**
 * As the registry has it
 */
country: (string | null)
/**
 * Registry that answered
 */
registry: (("arin" | "ripe" | "apnic" | "lacnic" | "afrinic") | null)
/**
 * Where to report abuse
 */
abuse_email: (string | null)
/**
 * The same by telephone
 */
abuse_phone: (string | null)
/**
 * ISO 8601; the latest registration where the registry names several
 */
registration_date: (string | null)
/**
 * ISO 8601
 */
updated_date: (string | null)
/**
 * Every address found, lower case, sorted
 */
emails: string[]
/**
 * As the registry has it
 */
status: string[]
/**
 * People and roles that the registry names
 */
contacts: WhoisContact[]
/**
 * The registry's own words
 */
remarks: string[]
/**
 * Protocol that answered
 */
source: ("rdap" | null)
/**
 * Under which the registry answers
 */
terms_of_service_url: (string | null)
/**
 * ok: the registry answered; not_found: not registered; error: no registry answered, not charged
 */
lookup_status: (("ok" | "not_found" | "error") | null)
/**
 * Only of error
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
provenance: WhoisProvenance
/**
 * When the registry answered, ISO 8601
 */
fetched_at: (string | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface WhoisContact {
/**
 * The registry's own name for it
 */
handle: (string | null)
/**
 * RFC 9083's roles
 */
roles: string[]
/**
 * Name of the person or role
 */
name: (string | null)
/**
 * Organisation
 */
organization: (string | null)
/**
 * E-mail addresses
 */
emails: string[]
/**
 * Telephone numbers
 */
phones: string[]
/**
 * One line
 */
address: (string | null)
/**
 * Country, as the registry has it
 */
country: (string | null)
}
export interface WhoisAsnReport {
/**
 * What was asked about
 */
type: "asn"
/**
 * The number
 */
asn: (number | null)
/**
 * The registry's name of it
 */
asn_name: (string | null)
/**
 * Set when the registry answered with a block of AS numbers
 */
asn_range: (string | null)
/**
 * First number of the range
 */
asn_range_start: (number | null)
/**
 * Last number of the range
 */
asn_range_end: (number | null)
/**
 * False: the registry says that it is not registered
 */
registered: (boolean | null)
/**
 * Normalised query
 */
query: string
/**
 * As it was sent
 */
input: string
/**
 * The registry's own name for it
 */
handle: (string | null)
/**
 * Holder
 */
organization: (string | null)
/**
 * As the registry has it
 */
country: (string | null)
/**
 * Registry that answered
 */
registry: (("arin" | "ripe" | "apnic" | "lacnic" | "afrinic") | null)
/**
 * Where to report abuse
 */
abuse_email: (string | null)
/**
 * The same by telephone
 */
abuse_phone: (string | null)
/**
 * ISO 8601; the latest registration where the registry names several
 */
registration_date: (string | null)
/**
 * ISO 8601
 */
updated_date: (string | null)
/**
 * Every address found, lower case, sorted
 */
emails: string[]
/**
 * As the registry has it
 */
status: string[]
/**
 * People and roles that the registry names
 */
contacts: WhoisContact[]
/**
 * The registry's own words
 */
remarks: string[]
/**
 * Protocol that answered
 */
source: ("rdap" | null)
/**
 * Under which the registry answers
 */
terms_of_service_url: (string | null)
/**
 * ok: the registry answered; not_found: not registered; error: no registry answered, not charged
 */
lookup_status: (("ok" | "not_found" | "error") | null)
/**
 * Only of error
 */
error: ({
/**
 * One word
 */
code: string
/**
 * A sentence for people
 */
message: string
} | null)
provenance: WhoisProvenance
/**
 * When the registry answered, ISO 8601
 */
fetched_at: (string | null)
freshness: Freshness
/**
 * Paths of members whose source is absent or failed; they hold their default
 */
unknown_fields: string[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface UsePage {
page: "use"
use: ("sign-up" | "comments" | "mail" | "siem")
}
export interface ReferencePage {
page: "reference"
groups: {
/**
 * Last part of its address; empty: the first page
 */
name: string
title: string
operations: {
id: string
method: string
path: string
title: string
}[]
}[]
/**
 * The one that is shown
 */
group: string
operations: ReferenceOperation[]
}
export interface ReferenceOperation {
id: string
method: string
path: string
title: string
description: string
kind: ("single" | "bulk" | "free" | "other")
/**
 * Credits, of a batch for each item; null: free
 */
price: (number | null)
limit: (("plan" | "half" | "free") | null)
auth: ("key" | "key or session" | "none")
/**
 * Where a session calls it without a key
 */
session_path: (string | null)
parameters: {
name: string
place: string
description: string
values: string[]
preset: (string | null)
}[]
request: ReferenceField[]
/**
 * Example of the request; null: it has none
 */
body: (string | null)
/**
 * Members of `data`; several where it has one of several forms
 */
answers: {
title: string
fields: ReferenceField[]
}[]
/**
 * Of the answer
 */
examples: ReferenceExample[]
errors: {
status: string
code: string
text: string
example: string
}[]
/**
 * The same call in several languages
 */
snippets: ReferenceExample[]
}
export interface ReferenceField {
name: string
depth: number
type: string
is_required: boolean
description: string
/**
 * What it takes, where that is a list
 */
values: string[]
}
export interface ReferenceExample {
title: string
text: string
}
export interface StatusPage {
page: "status"
version: string
database: boolean
/**
 * Null: they are not meant to be
 */
are_limits_shared: (boolean | null)
/**
 * What is wrong with the DNS resolvers; null: nothing
 */
resolver_trouble: (string | null)
/**
 * Parts of the data that are still being prepared
 */
missing: string[]
/**
 * How many of the lists that are downloaded were ever retrieved, and how many of the others answer from their shipped copy
 */
lists: {
loaded: number
shipped: number
total: number
}
/**
 * Why built-in lists could not be retrieved, equal causes together
 */
causes: {
reason: string
count: number
/**
 * Of the first of them
 */
names: string[]
/**
 * The first of those that were asked
 */
hosts: string[]
check: (string | null)
}[]
/**
 * False: it could not be read
 */
is_history_known: boolean
engines: {
key: string
name: string
kind: string
/**
 * Null, as all below, where the operator configured the engine
 */
target: (string | null)
status: string
entries: (number | null)
data_age_s: (number | null)
/**
 * When it answered last with data of its age
 */
last_success: (string | null)
last_error: (string | null)
seed: boolean
/**
 * Of the last 90 days those that were watched, oldest first
 */
history: SourceDay[]
}[]
allowlists: {
key: string
name: string
kind: string
/**
 * Null, as all below, where the operator configured the engine
 */
target: (string | null)
status: string
entries: (number | null)
data_age_s: (number | null)
/**
 * When it answered last with data of its age
 */
last_success: (string | null)
last_error: (string | null)
seed: boolean
/**
 * Of the last 90 days those that were watched, oldest first
 */
history: SourceDay[]
}[]
/**
 * Where places, networks and names of AS numbers come from
 */
tables: {
key: string
name: string
status: string
/**
 * Null: of the shipped table, whose rows are others
 */
entries: (number | null)
data_age_s: (number | null)
/**
 * The shipped table answers
 */
seed: boolean
last_error: (string | null)
/**
 * Of the last 90 days those that were watched, oldest first
 */
history: SourceDay[]
}[]
}
export interface SourceDay {
day: string
/**
 * How often it was looked at
 */
checks: number
healthy: number
/**
 * Its last status that was not `ok`
 */
trouble: (string | null)
}
export interface SourcesPage {
page: "sources"
sets: {
name: string
publisher: string
licence: string
url: string
date: string
entries: (number | null)
changes: string
}[]
/**
 * Engines and allowlists whose data is asked for or retrieved while the service runs
 */
live: {
key: string
name: string
kind: string
/**
 * Null, as all below, where the operator configured the engine
 */
target: (string | null)
status: string
entries: (number | null)
data_age_s: (number | null)
/**
 * When it answered last with data of its age
 */
last_success: (string | null)
last_error: (string | null)
seed: boolean
}[]
}
/**
 * The answers to all items
 */
export interface BulkReport {
/**
 * Name of the product
 */
product: string
/**
 * Items of the batch
 */
total_items: number
/**
 * Items that have a result
 */
successful: number
/**
 * Items that have an error
 */
failed: number
/**
 * Credits that the batch cost
 */
credits_charged: number
/**
 * In the order of the items
 */
results: BulkResultItem[]
/**
 * Time that the work took, milliseconds
 */
elapsed_ms: number
}
export interface BulkResultItem {
/**
 * The item as it was sent
 */
input: string
/**
 * Whether the item has a result
 */
status: ("success" | "error")
result: unknown
/**
 * A code, a colon and a sentence; null on success
 */
error: (string | null)
}
