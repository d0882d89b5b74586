import { changingAccount } from "./accounts.ts";

/** `repute account set-owner`. */
export const command = changingAccount(
  { examples: ["repute account set-owner ann@example.com"], page: "operations.md#accounts-and-passwords" },
  (email) => (accounts) => accounts.setOwner({ email, isOwner: true }),
);
