import { changingAccount } from "./accounts.ts";

/** `repute account disable`. */
export const accountDisable = changingAccount(
  (email) => (accounts) => accounts.setDisabled({ email, isDisabled: true }),
);
