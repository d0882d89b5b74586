import { z } from "zod";

// What the pages' own interface takes and gives about signing up and in, passwords and the second factor, as in `shapes.ts`.

export const SignUpInput = z.object({ email: z.string() });
export const TokenInput = z.object({ token: z.string() });
export const SignUpLink = z.object({ email: z.string() });
/** The password is chosen by who reads the mail. */
export const OpenInput = z.object({ token: z.string(), password: z.string() });
/** Either e-mail and password, with the code of the authenticator where one is set, or an API key of the account. */
export const SignInInput = z.object({
  email: z.string().optional(),
  password: z.string().optional(),
  totp_code: z.string().optional().describe("Or a recovery code"),
  api_key: z.string().optional(),
});
export const PasswordInput = z.object({
  current_password: z.string().optional().describe("Absent only where the account has none yet"),
  new_password: z.string(),
});
export const ResetRequestInput = z.object({ email: z.string() });
/** What a link for a new password is about. */
export const ResetLink = z.object({
  email: z.string(),
  is_proved: z
    .boolean()
    .describe(
      "False: this link proves the address, revokes all keys and tokens and takes an authenticator off",
    ),
  needs_totp: z
    .boolean()
    .describe("Whether signing in asks for a code of the authenticator, also afterwards"),
  keys: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        prefix: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
      }),
    )
    .describe("The keys that work, oldest first, then access tokens; those of sessions end with them"),
});
export const ResetInput = z.object({
  token: z.string(),
  new_password: z.string(),
  totp_code: z
    .string()
    .optional()
    .describe("Or a recovery code. Without it the new password is set, and signing in asks for one"),
  revoke_keys: z
    .array(z.string())
    .optional()
    .describe("Ids of the keys and access tokens to be revoked with it"),
});
export const TotpStartInput = z.object({
  current_password: z
    .string()
    .optional()
    .describe("Wanted where there is a password, unless it opened this session in the last 15 minutes"),
});
export const TotpStart = z.object({
  secret: z.string().describe("Base32"),
  uri: z.string().describe("otpauth://totp/…"),
});
export const TotpInput = z.object({ totp_code: z.string() });
export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe("Each opens once in place of a code. Shown this once"),
});
