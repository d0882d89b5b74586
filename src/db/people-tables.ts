// As in `schema.ts`: times are milliseconds since 1970, flags are 0 or 1, ids are UUID text.

/** Who signs in to an account. Every account has an owner among its people whose e-mail is the account's. */
export type PeopleTable = {
  /** The account's id where it is the person that the account was made for. */
  id: string;
  account_id: string;
  /** Lower case; of one person in the whole installation. */
  email: string;
  /** "owner", "member" or "viewer". */
  role: string;
  /** An owner of the account invited them; 0: the account was made for them. */
  is_invited: number;
  created_at: number;
};

/** Invitations that were not accepted yet. An accepted or withdrawn one is deleted. */
export type InvitationsTable = {
  /** Names the invitation to the account's owners; opens nothing. */
  id: string;
  /** SHA-256 of the link's token, hexadecimal. */
  token_hash: string;
  account_id: string;
  /** Lower case. */
  email: string;
  role: string;
  /** The person; it ends with them. */
  invited_by: string;
  created_at: number;
  expires_at: number;
};

/** How a person signs in; no row: not at all so far. */
export type CredentialsTable = {
  person_id: string;
  /** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`; null: none was set. */
  password_hash: string | null;
  /** Base32. */
  totp_secret: string | null;
  is_totp_confirmed: number;
  /** Time step of the last code that was taken: none at or before it is taken again. */
  totp_last_step: number | null;
};

/** One-time links. A used one is deleted. */
export type ResetTokensTable = {
  token_hash: string;
  person_id: string;
  created_at: number;
  expires_at: number;
  /** Whether it ends the second factor too: the operator's links do, mailed ones do not. */
  ends_totp: number;
};

/** Unused recovery codes of a person. A used one is deleted. */
export type RecoveryCodesTable = {
  person_id: string;
  /** SHA-256 of the person's id and the code, hexadecimal. */
  code_hash: string;
};
