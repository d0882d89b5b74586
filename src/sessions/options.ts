import { z } from "zod";

const email = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, "Expected an e-mail address");

/** The operator's `dashboard:`. Source: design 15. */
export const dashboardOptionsSchema = z.strictObject({
  signup: z
    .enum(["open", "closed"])
    .default("closed")
    .describe(
      "Whether strangers may open an account, by a link that is mailed to them: `open` needs `mail.smtp_url`",
    ),
  key_sign_in: z
    .enum(["read", "off"])
    .default("read")
    .describe("Whether an API key opens the pages; its session only reads"),
  owners: z
    .array(email)
    .default([])
    .describe(
      "E-mail addresses that see the Admin pages; default: the first account. Of accounts that `repute account create` made; one that signed up needs `repute account set-owner`",
    ),
});

export type DashboardOptions = z.infer<typeof dashboardOptionsSchema>;
