import { changingAccount } from "./accounts.ts";

/** `repute account enable`. */
export const command = changingAccount(
  { examples: ["repute account enable ann@example.com"], page: "operations.md#accounts-and-passwords" },
  (email) => (accounts) => accounts.setDisabled({ email, isDisabled: false }),
);
