// Made by `npm run web:types` from src/accounts/audit-actions.ts.
/** What the audit log tells of, and how people read it: the thing, a dot, the verb. */
export const AUDIT_ACTIONS = {
  "account.add_totp": "Authenticator added",
  "account.create": "Account created",
  "account.delete": "Account deleted",
  "account.disable": "Account disabled",
  "account.enable": "Account enabled",
  "account.prove_email": "E-mail address proved",
  "account.remove_totp": "Authenticator removed",
  "account.renew_recovery_codes": "Recovery codes renewed",
  "account.reset_link": "Reset link made",
  "account.set_credits": "Credits changed",
  "account.set_email": "E-mail address changed",
  "account.set_owner": "Owner changed",
  "account.set_password": "Password set",
  "account.set_plan": "Plan changed",
  "account.subscription": "Subscription changed",
  "account.use_recovery_code": "Recovery code used",
  "engine.switch_off": "Engine switched off",
  "engine.switch_on": "Engine switched on",
  "engine.switch_reset": "Engine set back to its default",
  "key.create": "Key created",
  "key.expire": "Key expired",
  "key.revoke": "Key revoked",
  "key.roll": "Key rolled",
  "key.update": "Key changed",
  "person.invite": "Person invited",
  "person.join": "Person joined",
  "person.leave": "Person left",
  "person.remove": "Person removed",
  "person.set_role": "Role changed",
  "person.withdraw_invitation": "Invitation withdrawn",
  "session.sign_in": "Signed in",
  "session.sign_in_failed": "Sign-in failed",
  "token.create": "Token created",
  "token.revoke": "Token revoked",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** In words; an action that this version does not know as it is written. */
export const auditWords = (action: string): string =>
  Object.entries(AUDIT_ACTIONS).find(([name]) => name === action)?.[1] ?? action;
