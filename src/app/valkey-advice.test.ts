import { expect, test } from "vitest";
import { valkeyAdvice } from "./valkey-advice.ts";

const coded = (code: string) => Object.assign(new Error("failed"), { code });

test.each([
  [new Error("WRONGPASS invalid username-password pair or user is disabled."), "the password in VALKEY_URL"],
  [new Error("NOAUTH Authentication required."), "the password in VALKEY_URL"],
  [new Error("NOPERM User x has no permissions to run the 'zrem' command"), "+@sortedset"],
  [new Error("ERR unknown command 'EVALSHA', with args beginning with: "), "rename-command"],
  [new Error("ERR Unknown Redis command called from script script: f24781a2"), "rename-command"],
  [new Error("OOM command not allowed when used memory > 'maxmemory'."), "Raise its maxmemory"],
  [new Error("MISCONF Redis is configured to save RDB snapshots"), "Free space"],
  [new Error("READONLY You can't write against a read only replica."), "primary"],
  [coded("SELF_SIGNED_CERT_IN_CHAIN"), "fetch.ca_file"],
  [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "Write the host in VALKEY_URL as"],
  [coded("ECONNREFUSED"), "that the server runs"],
])("says what to do about %s", (fault, advice) => {
  expect(valkeyAdvice(fault)).toContain(advice);
  expect(valkeyAdvice(fault)).toMatch(/: limits are per process meanwhile$/);
});
