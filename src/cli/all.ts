import type { CommandEntry } from "./command.ts";

/** What commands of two words have in common. */
export const GROUPS: readonly { readonly name: string; readonly summary: string }[] = [
  { name: "account", summary: "Accounts, their plans and balances" },
  { name: "key", summary: "API keys" },
  { name: "token", summary: "Tokens for exports, decisions and the gate" },
  { name: "policy", summary: "Policies: what is done with a target by its score" },
  { name: "feeds", summary: "The engines and their lists" },
  { name: "exports", summary: "What is listed, as files for firewalls, resolvers and servers" },
  { name: "engines", summary: "Which engines there are, and switching them on" },
  { name: "db", summary: "The database" },
];

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: "serve", summary: "Run the service", load: () => import("./serve.ts") },
  {
    name: "check",
    summary: "Look values up, here or by a running service",
    load: () => import("./check.ts"),
  },
  {
    name: "doctor",
    summary: "Check data folder, disk, clock, database, DNS, network and lists",
    load: () => import("./doctor.ts"),
  },
  {
    name: "completion",
    summary: "Print the completion of a shell: bash, zsh or fish",
    load: () => import("./completion.ts"),
  },
  { name: "account create", summary: "Create an account", load: () => import("./account-create.ts") },
  { name: "account show", summary: "Show an account", load: () => import("./account-show.ts") },
  { name: "account list", summary: "List all accounts", load: () => import("./account-list.ts") },
  {
    name: "account set-plan",
    summary: "Change the plan of an account",
    load: () => import("./account-set-plan.ts"),
  },
  {
    name: "account set-credits",
    summary: "Correct the balance of an account",
    load: () => import("./account-set-credits.ts"),
  },
  {
    name: "account disable",
    summary: "Refuse all keys of an account at once",
    load: () => import("./account-disable.ts"),
  },
  {
    name: "account enable",
    summary: "Take the keys of a disabled account again",
    load: () => import("./account-enable.ts"),
  },
  {
    name: "account reset-password",
    summary: "Print a one-time link that sets a new password",
    load: () => import("./account-reset-password.ts"),
  },
  {
    name: "account set-owner",
    summary: "Make an account an owner: it sees the Admin pages",
    load: () => import("./account-set-owner.ts"),
  },
  {
    name: "account export",
    summary: "Print everything that is stored of an account, as JSON",
    load: () => import("./account-export.ts"),
  },
  {
    name: "account delete",
    summary: "Delete an account with everything that names it",
    load: () => import("./account-delete.ts"),
  },
  {
    name: "key create",
    summary: "Create an API key and show it, this once",
    load: () => import("./key-create.ts"),
  },
  {
    name: "key list",
    summary: "List the keys of an account, revoked ones too",
    load: () => import("./key-list.ts"),
  },
  {
    name: "key update",
    summary: "Change what a key is limited to, and its name",
    load: () => import("./key-update.ts"),
  },
  { name: "key rename", summary: "Give a key another name", load: () => import("./key-rename.ts") },
  {
    name: "key roll",
    summary: "Replace a key; the old one works on for a while",
    load: () => import("./key-roll.ts"),
  },
  {
    name: "key revoke",
    summary: "Revoke a key at once, also on a running server",
    load: () => import("./key-revoke.ts"),
  },
  {
    name: "token create",
    summary: "Create a token for exports, decisions or the gate",
    load: () => import("./token-create.ts"),
  },
  { name: "token list", summary: "List tokens", load: () => import("./token-list.ts") },
  {
    name: "token revoke",
    summary: "Revoke a token at once, also on a running server",
    load: () => import("./token-revoke.ts"),
  },
  {
    name: "policy test",
    summary: "What a policy would have done to the visitors of an access log",
    load: () => import("./policy-test.ts"),
  },
  {
    name: "feeds list",
    summary: "Show the state of every engine, those in trouble first",
    load: () => import("./feeds-list.ts"),
  },
  { name: "feeds update", summary: "Refresh lists now", load: () => import("./feeds-update.ts") },
  {
    name: "exports list",
    summary: "Show every export, and since when it stands",
    load: () => import("./exports-list.ts"),
  },
  { name: "exports show", summary: "Show what an export holds", load: () => import("./exports-show.ts") },
  {
    name: "exports write",
    summary: "Write an export in one of its formats",
    load: () => import("./exports-write.ts"),
  },
  {
    name: "exports diff",
    summary: "Show what came and went since a generation",
    load: () => import("./exports-diff.ts"),
  },
  {
    name: "exports explain",
    summary: "Say why a value is in an export, or is not",
    load: () => import("./exports-explain.ts"),
  },
  {
    name: "exports release",
    summary: "Put a generation in force that is held back",
    load: () => import("./exports-release.ts"),
  },
  {
    name: "engines list",
    summary: "List every engine: on or off, on what terms, by which publisher",
    load: () => import("./engines-list.ts"),
  },
  {
    name: "engines try",
    summary: "Make one download or self-test of an engine; changes nothing",
    load: () => import("./engines-try.ts"),
  },
  {
    name: "engines enable",
    summary: "Print the configuration that switches engines on, or write it",
    load: () => import("./engines-enable.ts"),
  },
  {
    name: "config",
    summary: "Print the configuration in force, secrets masked",
    load: () => import("./config.ts"),
  },
  {
    name: "config check",
    summary: "Whether a start would take the configuration as it stands",
    load: () => import("./config-check.ts"),
  },
  {
    name: "db migrate",
    summary: "Bring the database to the newest schema",
    load: () => import("./db-migrate.ts"),
  },
  {
    name: "db copy",
    summary: "Copy the embedded database into an empty PostgreSQL database",
    load: () => import("./db-copy.ts"),
  },
  {
    name: "backup",
    summary: "Write accounts, keys and history to a file, also while the service runs",
    load: () => import("./backup.ts"),
  },
  {
    name: "restore",
    summary: "Go back to a backup, also while the service runs",
    load: () => import("./restore.ts"),
  },
];
