import type { AuditAction } from "@stashlight/contracts/audit";
import { beforeAll, expect, test } from "vitest";
import { changePassword } from "../account/change-password.ts";
import { endSession } from "../account/end-session.ts";
import { updateProfile } from "../account/update-profile.ts";
import { ensureSchedules } from "../schedule/ensure.ts";
import { pauseSchedule } from "../schedule/pause.ts";
import { runScheduleNow } from "../schedule/run-now.ts";
import {
  auditEvents,
  createSession,
  type Person,
  testPassword,
  useSharedInstallation,
} from "../testing/index.ts";
import { acceptInvitation } from "../user/accept-invitation.ts";
import { changeRole } from "../user/change-role.ts";
import { disableUser } from "../user/disable.ts";
import { disableUserTwoFactor } from "../user/disable-two-factor.ts";
import { enableUser } from "../user/enable.ts";
import { endUserSessions } from "../user/end-sessions.ts";
import { inviteUser } from "../user/invite.ts";
import { issuePasswordLink } from "../user/issue-password-link.ts";
import { resetPassword } from "../user/reset-password.ts";
import { revokeInvitation } from "../user/revoke-invitation.ts";
import { exportAudit } from "./export.ts";
import { verifyAudit } from "./verify.ts";

const { installation, admin } = useSharedInstallation("admin");
let person: Person;

beforeAll(async () => {
  await ensureSchedules(installation.platform);
  person = await installation.person("viewer", "somebody");
});

const password = "a long enough pass phrase";
const linkToken = (url: string) => new URL(url).hash.slice(1);
const target = () => ({ userId: person.userId });
const schedule = { scheduleId: "housekeeping" };
const setPaused = (isPaused: boolean) => pauseSchedule({ ctx: admin.ctx, input: { ...schedule, isPaused } });

async function openInvitation(email: string) {
  const { url } = await inviteUser({ ctx: admin.ctx, input: { email, role: "viewer" } });
  const link = await installation.platform.db.oneTimeLink.findFirstOrThrow({ where: { email } });
  return { token: linkToken(url), invitationId: link.id };
}

/** Prepares the verb's data and returns the call itself. Verbs run in this order, because each uses earlier data. */
const verbs: [AuditAction, () => Promise<() => Promise<unknown>>][] = [
  [
    "user.invited",
    async () => () => inviteUser({ ctx: admin.ctx, input: { email: "one@example.org", role: "viewer" } }),
  ],
  [
    "user.invitation_revoked",
    async () => {
      const { invitationId } = await openInvitation("two@example.org");
      return () => revokeInvitation({ ctx: admin.ctx, input: { invitationId } });
    },
  ],
  [
    "user.joined",
    async () => {
      const { token } = await openInvitation("three@example.org");
      return () => acceptInvitation({ ctx: installation.nobody, input: { token, name: "Three", password } });
    },
  ],
  [
    "user.role_changed",
    async () => () => changeRole({ ctx: admin.ctx, input: { ...target(), role: "operator" } }),
  ],
  ["user.disabled", async () => () => disableUser({ ctx: admin.ctx, input: target() })],
  ["user.enabled", async () => () => enableUser({ ctx: admin.ctx, input: target() })],
  ["session.ended_all", async () => () => endUserSessions({ ctx: admin.ctx, input: target() })],
  [
    "user.totp_reset",
    async () => {
      await installation.platform.db.user.update({
        where: { id: person.userId },
        data: { twoFactorEnabled: true },
      });
      return () => disableUserTwoFactor({ ctx: admin.ctx, input: target() });
    },
  ],
  ["user.password_link_issued", async () => () => issuePasswordLink({ ctx: admin.ctx, input: target() })],
  [
    "user.password_reset",
    async () => {
      const { url } = await issuePasswordLink({ ctx: admin.ctx, input: target() });
      return () => resetPassword({ ctx: installation.nobody, input: { token: linkToken(url), password } });
    },
  ],
  [
    "user.profile_updated",
    async () => () => updateProfile({ ctx: person.ctx, input: { name: "Renamed", timeZone: null } }),
  ],
  [
    "user.password_changed",
    async () => () =>
      changePassword({
        ctx: admin.ctx,
        input: { currentPassword: testPassword, newPassword: password },
      }),
  ],
  [
    "session.ended",
    async () => {
      const sessionId = await createSession(
        installation.platform.db,
        person.userId,
        installation.clock.now(),
      );
      return () => endSession({ ctx: person.ctx, input: { sessionId } });
    },
  ],
  ["schedule.paused", async () => () => setPaused(true)],
  ["schedule.resumed", async () => () => setPaused(false)],
  ["schedule.run_requested", async () => () => runScheduleNow({ ctx: admin.ctx, input: schedule })],
  ["audit.verified", async () => () => verifyAudit({ ctx: admin.ctx })],
  [
    "audit.exported",
    async () => () => exportAudit({ ctx: admin.ctx, input: { format: "csv", fromMs: 0, toMs: 1 } }),
  ],
];

/** All tables as text, except the log itself and the counters of attempts. */
async function stateOfDatabase(): Promise<string> {
  const { db } = installation.platform;
  const tables = await Promise.all([
    db.user.findMany({ orderBy: { id: "asc" } }),
    db.account.findMany({ orderBy: { id: "asc" } }),
    db.session.findMany({ orderBy: { id: "asc" } }),
    db.oneTimeLink.findMany({ orderBy: { id: "asc" } }),
    db.schedule.findMany(),
    db.scheduleRun.findMany({ orderBy: { plannedAt: "asc" } }),
  ]);
  return JSON.stringify(tables);
}

test.each(verbs)(
  "%s writes one event in its own transaction, and changes nothing without it",
  async (action, prepare) => {
    const call = await prepare();
    const [state, events] = [await stateOfDatabase(), await auditEvents(installation.platform)];
    await installation.asOwner((tx) => tx.$executeRaw`REVOKE INSERT ON audit_event FROM stashlight_app`);
    await expect(call()).rejects.toThrow();
    await installation.asOwner((tx) => tx.$executeRaw`GRANT INSERT ON audit_event TO stashlight_app`);
    expect(await stateOfDatabase()).toBe(state);
    expect(await auditEvents(installation.platform)).toEqual(events);

    await call();
    const written = (await auditEvents(installation.platform)).slice(events.length);
    expect(written).toMatchObject([{ action }]);
    expect(JSON.stringify(written[0]?.after)).not.toContain(password);
  },
);

test("a verb that changes nothing writes no event", async () => {
  const before = await auditEvents(installation.platform);
  await enableUser({ ctx: admin.ctx, input: target() });
  await setPaused(false);
  await changeRole({ ctx: admin.ctx, input: { ...target(), role: "operator" } });
  expect(await auditEvents(installation.platform)).toEqual(before);
});

test.each([
  ["UPDATE", "UPDATE audit_event SET actor_name = 'x'"],
  ["DELETE", "DELETE FROM audit_event"],
  ["TRUNCATE", "TRUNCATE audit_event"],
  ["UPDATE of a seal", "UPDATE audit_seal SET day = now()"],
])("the product's runtime role may not %s", async (_, sql) => {
  await expect(installation.platform.db.$executeRawUnsafe(sql)).rejects.toThrow(/permission denied/);
});
