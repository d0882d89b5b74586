import { changingAccount } from "./accounts.ts";

/** `repute account enable`. */
export const accountEnable = changingAccount(
  (email) => (accounts) => accounts.setDisabled({ email, isDisabled: false }),
);
