import { changingAccount } from "./accounts.ts";

/** `repute account set-owner`. */
export const accountSetOwner = changingAccount(
  (email) => (accounts) => accounts.setOwner({ email, isOwner: true }),
);
