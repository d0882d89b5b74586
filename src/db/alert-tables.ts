// As in `schema.ts`: times are milliseconds since 1970 and flags are 0 or 1.

/** What a person is mailed about; one without a row has the defaults. */
export type AlertSettingsTable = {
  person_id: string;
  /** A mail when fewer credits than this percentage of the cycle's are left; 0: none. */
  credits_percent: number;
  /** A mail about a sign-in from a new network. */
  sign_in: number;
  /** Owners of the installation alone: a mail about a source that was not well for a day. */
  sources: number;
};

/** Mails that were sent, or are being sent, so that no process sends one again. */
export type AlertsTable = {
  person_id: string;
  kind: "credits" | "source";
  /** Of credits the end of the cycle, of a source its key. */
  subject: string;
  /** When it was begun; of a source that was told of, when a process last saw it fail. */
  at: number;
  is_sent: number;
};

/** Networks that a person signed in from. */
export type PersonNetworksTable = {
  person_id: string;
  /** An IPv4 /24 or an IPv6 /48. */
  network: string;
  /** The last time. */
  at: number;
};
