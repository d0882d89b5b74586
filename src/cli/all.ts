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
  {
    name: "serve",
    summary: "Run the service",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "check",
    summary: "Look values up, here or by a running service",
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "doctor",
    summary: "Check data folder, disk, clock, database, DNS, network and lists",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "completion",
    summary: "Print the completion of a shell: bash, zsh or fish",
    load: async () => (await import("./completion.ts")).completion,
  },
  {
    name: "account create",
    summary: "Create an account",
    load: async () => (await import("./account-create.ts")).accountCreate,
  },
  {
    name: "account show",
    summary: "Show an account",
    load: async () => (await import("./account-show.ts")).accountShow,
  },
  {
    name: "account list",
    summary: "List all accounts",
    load: async () => (await import("./account-list.ts")).accountList,
  },
  {
    name: "account set-plan",
    summary: "Change the plan of an account",
    load: async () => (await import("./account-set-plan.ts")).accountSetPlan,
  },
  {
    name: "account set-credits",
    summary: "Correct the balance of an account",
    load: async () => (await import("./account-set-credits.ts")).accountSetCredits,
  },
  {
    name: "account disable",
    summary: "Refuse all keys of an account at once",
    load: async () => (await import("./account-disable.ts")).accountDisable,
  },
  {
    name: "account enable",
    summary: "Take the keys of a disabled account again",
    load: async () => (await import("./account-enable.ts")).accountEnable,
  },
  {
    name: "account reset-password",
    summary: "Print a one-time link that sets a new password",
    load: async () => (await import("./account-reset-password.ts")).accountResetPassword,
  },
  {
    name: "account set-owner",
    summary: "Make an account an owner: it sees the Admin pages",
    load: async () => (await import("./account-set-owner.ts")).accountSetOwner,
  },
  {
    name: "account export",
    summary: "Print everything that is stored of an account, as JSON",
    load: async () => (await import("./account-export.ts")).accountExport,
  },
  {
    name: "account delete",
    summary: "Delete an account with everything that names it",
    load: async () => (await import("./account-delete.ts")).accountDelete,
  },
  {
    name: "key create",
    summary: "Create an API key and show it, this once",
    load: async () => (await import("./key-create.ts")).keyCreate,
  },
  {
    name: "key list",
    summary: "List the keys of an account, revoked ones too",
    load: async () => (await import("./key-list.ts")).keyList,
  },
  {
    name: "key update",
    summary: "Change what a key is limited to, and its name",
    load: async () => (await import("./key-update.ts")).keyUpdate,
  },
  {
    name: "key rename",
    summary: "Give a key another name",
    load: async () => (await import("./key-rename.ts")).keyRename,
  },
  {
    name: "key roll",
    summary: "Replace a key; the old one works on for a while",
    load: async () => (await import("./key-roll.ts")).keyRoll,
  },
  {
    name: "key revoke",
    summary: "Revoke a key at once, also on a running server",
    load: async () => (await import("./key-revoke.ts")).keyRevoke,
  },
  {
    name: "token create",
    summary: "Create a token for exports, decisions or the gate",
    load: async () => (await import("./token-create.ts")).tokenCreate,
  },
  {
    name: "token list",
    summary: "List tokens",
    load: async () => (await import("./token-list.ts")).tokenList,
  },
  {
    name: "token revoke",
    summary: "Revoke a token at once, also on a running server",
    load: async () => (await import("./token-revoke.ts")).tokenRevoke,
  },
  {
    name: "policy test",
    summary: "What a policy would have done to the visitors of an access log",
    load: async () => (await import("./policy-test.ts")).policyTest,
  },
  {
    name: "feeds list",
    summary: "Show the state of every engine, those in trouble first",
    load: async () => (await import("./feeds-list.ts")).feedsList,
  },
  {
    name: "feeds update",
    summary: "Refresh lists now",
    load: async () => (await import("./feeds-update.ts")).feedsUpdate,
  },
  {
    name: "exports list",
    summary: "Show every export, and since when it stands",
    load: async () => (await import("./exports-list.ts")).exportsList,
  },
  {
    name: "exports show",
    summary: "Show what an export holds",
    load: async () => (await import("./exports-show.ts")).exportsShow,
  },
  {
    name: "exports write",
    summary: "Write an export in one of its formats",
    load: async () => (await import("./exports-write.ts")).exportsWrite,
  },
  {
    name: "exports diff",
    summary: "Show what came and went since a generation",
    load: async () => (await import("./exports-diff.ts")).exportsDiff,
  },
  {
    name: "exports explain",
    summary: "Say why a value is in an export, or is not",
    load: async () => (await import("./exports-explain.ts")).exportsExplain,
  },
  {
    name: "exports release",
    summary: "Put a generation in force that is held back",
    load: async () => (await import("./exports-release.ts")).exportsRelease,
  },
  {
    name: "engines list",
    summary: "List every engine: on or off, on what terms, by which publisher",
    load: async () => (await import("./engines-list.ts")).enginesList,
  },
  {
    name: "engines try",
    summary: "Make one download or self-test of an engine; changes nothing",
    load: async () => (await import("./engines-try.ts")).enginesTry,
  },
  {
    name: "engines enable",
    summary: "Print the configuration that switches engines on, or write it",
    load: async () => (await import("./engines-enable.ts")).enginesEnable,
  },
  {
    name: "config",
    summary: "Print the configuration in force, secrets masked",
    load: async () => (await import("./config.ts")).config,
  },
  {
    name: "config check",
    summary: "Whether a start would take the configuration as it stands",
    load: async () => (await import("./config-check.ts")).configCheck,
  },
  {
    name: "db migrate",
    summary: "Bring the database to the newest schema",
    load: async () => (await import("./db-migrate.ts")).dbMigrate,
  },
  {
    name: "db copy",
    summary: "Copy the embedded database into an empty PostgreSQL database",
    load: async () => (await import("./db-copy.ts")).dbCopy,
  },
  {
    name: "backup",
    summary: "Write accounts, keys and history to a file, also while the service runs",
    load: async () => (await import("./backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "Go back to a backup, also while the service runs",
    load: async () => (await import("./restore.ts")).restore,
  },
];
