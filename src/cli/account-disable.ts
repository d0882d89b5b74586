import { changingAccount } from "./accounts.ts";

/** `repute account disable`. */
export const command = changingAccount(
  { examples: ["repute account disable ann@example.com"], page: "operations.md#accounts-and-passwords" },
  (email) => (accounts) => accounts.setDisabled({ email, isDisabled: true }),
);
