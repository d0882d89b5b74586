import fc from "fast-check";
import { expect, test } from "vitest";
import { eppStatuses } from "./statuses.ts";

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

test.each([
  [["clientTransferProhibited https://icann.org/epp#clientTransferProhibited"], ["clientTransferProhibited"]],
  [["client transfer prohibited"], ["clientTransferProhibited"]],
  [
    ["CLIENT DELETE PROHIBITED", "server-hold"],
    ["clientDeleteProhibited", "serverHold"],
  ],
  [["serverRenewProhibited (Not Currently Eligible For Renewal)"], ["serverRenewProhibited"]],
  [["active"], ["ok"]],
  [["Active", "ok"], ["ok"]],
  [["connect"], ["ok"]],
  [["ACTIVO", "Ativo"], ["ok"]],
  [["REGISTERED, DELEGATED, VERIFIED"], ["delegated", "registered", "verified"]],
  [["ok / autoRenewPeriod"], ["autoRenewPeriod", "ok"]],
  [["ok - Normal state."], ["ok"]],
  [["in quarantine"], ["inQuarantine"]],
  [["Registered until expiry date."], ["registeredUntilExpiryDate"]],
  [["The domain is locked against every transfer"], []],
  [
    ["Sponsoring registrar change forbidden", "Domain is administratively kept out of zone"],
    ["serverHold", "serverTransferProhibited"],
  ],
  [["The domain is administratively kept out of zone"], ["serverHold"]],
  [
    ["Deletion forbidden", "Registration renewal forbidden", "Update forbidden"],
    ["serverDeleteProhibited", "serverRenewProhibited", "serverUpdateProhibited"],
  ],
  [
    ["To be deleted", "The domain isn't generated in the zone"],
    ["inactive", "pendingDelete"],
  ],
  [["", "  ", "https://icann.org/epp#ok"], []],
  [
    ["pending delete", "redemption period"],
    ["pendingDelete", "redemptionPeriod"],
  ],
])("the statuses %j are EPP's %j", (texts, statuses) => {
  expect(eppStatuses(texts)).toEqual(statuses);
});

test("statuses are unique, sorted and few, of any texts, and stay as they are the second time", () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const statuses = eppStatuses(texts);
      expect(statuses.length).toBeLessThanOrEqual(40);
      expect(statuses).toEqual([...new Set(statuses)].sort());
    }),
  );
});
