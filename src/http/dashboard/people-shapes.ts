import { z } from "zod";
import { ROLES } from "../../accounts/people.ts";

// What the pages' own interface takes and gives about the people of an account, as in `shapes.ts`.

const role = z
  .enum(ROLES)
  .describe("owner: everything; member: lookups and keys of their own; viewer: reading alone");

export const PeopleView = z.object({
  people: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      role,
      created_at: z.string(),
      is_you: z.boolean(),
      has_totp: z.boolean(),
      last_seen_at: z.string().nullable().describe("Null: signed in nowhere now"),
      keys: z.int().describe("Working API keys that they made"),
    }),
  ),
  invitations: z
    .array(
      z.object({
        id: z.string(),
        email: z.string(),
        role,
        invited_by: z.string(),
        created_at: z.string(),
        expires_at: z.string(),
      }),
    )
    .describe("Those not accepted yet; for owners alone, others see none"),
  max: z.int().describe("People an account may have, those who are invited counted"),
});

export const InviteInput = z.object({ email: z.string(), role });
export const InvitedView = z.object({
  path: z.string().nullable().describe("The link, shown this once; null: it was mailed"),
});
const keepsKeys = z
  .boolean()
  .optional()
  .describe("Whether the keys and tokens that they made go on working; false unless given");
export const RoleInput = z.object({
  role,
  keep_keys: keepsKeys.describe("The same, for who becomes a viewer; of other roles all go on working"),
});
export const RemovalInput = z.object({ keep_keys: keepsKeys });
export const InvitationView = z.object({
  email: z.string(),
  role,
  account: z.string().describe("The account's e-mail"),
  invited_by: z.string(),
});
