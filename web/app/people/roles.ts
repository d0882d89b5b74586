/** A role, as the service names it. */
export type RoleName = "owner" | "member" | "viewer";

export const ROLES: readonly RoleName[] = ["owner", "member", "viewer"];

export const ROLE_NAMES: Readonly<Record<RoleName, string>> = {
  owner: "Owner",
  member: "Member",
  viewer: "Viewer",
};

/** What people of each role may do. */
export const ROLE_WORDS: Readonly<Record<RoleName, string>> = {
  owner: "Everything, also people, all keys, billing and the account's end",
  member: "Look things up, run bulk, make and revoke keys of their own",
  viewer: "Read everything, change nothing",
};

/** A role that was chosen in a form. */
export const roleFrom = (text: string): RoleName => ROLES.find((role) => role === text) ?? "viewer";
