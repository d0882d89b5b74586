import { isoSeconds, isoSecondsOrNull } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import { MAX_PEOPLE } from "../../sessions/invitations.ts";
import { linkOf } from "../../sessions/reset.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { judgingField, judgingPassword } from "./fields.ts";
import { askedBy, type DashboardCall, gives, mayTake, signedIn, takes } from "./route.ts";
import { beginSession } from "./sign-in-routes.ts";

const DONE = { done: true } as const;

/** The people of an account: who they are, inviting them, their roles, and their end. */
export const PEOPLE_ROUTES = {
  people: gives(ENDPOINTS.people, async (call) => {
    const { account, person: you } = signedIn(call);
    const { team, sessions } = call.dashboard;
    const people = await team.list(account.id);
    const invitations = you?.role === "owner" ? await sessions.listInvitations(account.id) : [];
    return {
      people: people.map(({ person, hasTotp, lastSeenAt, keys }) => ({
        ...{ id: person.id, email: person.email, role: person.role },
        created_at: isoSeconds(person.createdAt),
        is_you: person.id === you?.id,
        has_totp: hasTotp,
        last_seen_at: isoSecondsOrNull(lastSeenAt),
        keys,
      })),
      invitations: invitations.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
        ...{ id, email, role },
        invited_by: invitedBy,
        created_at: isoSeconds(createdAt),
        expires_at: isoSeconds(expiresAt),
      })),
      max: MAX_PEOPLE,
    };
  }),
  invite: takes(ENDPOINTS.invite, async (call, body) => {
    const { dashboard } = call;
    const { post } = dashboard;
    const wish = { ...body, session: signedIn(call) };
    const { token, issue } = await judgingField("email", body, () => dashboard.sessions.invite(wish));
    // Without mail the owner hands the link on.
    if (post === null) return { path: linkOf("", "join", token) };
    dashboard.afterwards(() => post.invite(issue));
    return { path: null };
  }),
  withdrawInvitation: gives(ENDPOINTS.withdrawInvitation, async (call) => {
    await call.dashboard.sessions.withdrawInvitation({ session: signedIn(call), id: call.param("id") });
    return DONE;
  }),
  setRole: takes(ENDPOINTS.setRole, async (call, { role, keep_keys: keepsKeys = false }) => {
    const personId = call.param("id");
    await call.dashboard.team.setRole({ ...askedBy(call), personId, role, keepsKeys });
    endOwn(call, personId);
    return DONE;
  }),
  removePerson: mayTake(ENDPOINTS.removePerson, async (call, { keep_keys: keepsKeys = false }) => {
    const personId = call.param("id");
    await call.dashboard.team.removePerson({ ...askedBy(call), personId, keepsKeys });
    endOwn(call, personId);
    return DONE;
  }),
  leave: mayTake(ENDPOINTS.leave, async (call, { keep_keys: keepsKeys = false }) => {
    const { person } = signedIn(call);
    if (person === null) throw new Refusal("NOT_SIGNED_IN");
    await call.dashboard.team.removePerson({ ...askedBy(call), personId: person.id, keepsKeys });
    call.setToken(null);
    return DONE;
  }),
  viewInvitation: takes(ENDPOINTS.viewInvitation, async ({ dashboard }, body) => {
    const { invitedBy, ...view } = await judgingField("token", body, () =>
      dashboard.sessions.viewInvitation(body.token),
    );
    return { ...view, invited_by: invitedBy };
  }),
  join: takes(ENDPOINTS.join, async (call, body) => {
    const wish = { ...body, client: call.client };
    const token = await judgingPassword("password", body, () => call.dashboard.sessions.join(wish));
    return beginSession(call, token);
  }),
};

/** What a person changed of themselves has ended this session as well. */
function endOwn(call: DashboardCall, personId: string): void {
  if (signedIn(call).person?.id === personId) call.setToken(null);
}
