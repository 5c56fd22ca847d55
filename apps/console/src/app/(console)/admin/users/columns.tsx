"use client";
import type { InvitationRow, Role, UserRow } from "@stashlight/contracts/user";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";

function RoleBadge({ role }: { role: Role }) {
  return <Badge className="capitalize">{role}</Badge>;
}

/** A table row. `isOwn` marks the signed-in user, to whom some actions do not apply. */
export type ListedUser = UserRow & { isOwn: boolean };

export const userColumns: Column<ListedUser>[] = [
  textColumn("name", "Name", (user) => user.name, {
    hideable: false,
    cell: (user) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{user.name}</span>
        {user.isOwn && <Badge>you</Badge>}
      </span>
    ),
  }),
  { id: "email", header: "E-mail", value: (user) => user.email },
  { id: "role", header: "Role", value: (user) => user.role, cell: (user) => <RoleBadge role={user.role} /> },
  textColumn("state", "State", (user) => user.state, {
    cell: (user) =>
      user.state === "active" ? (
        <StatusDot status="good" label="Active" />
      ) : (
        <StatusDot status="unknown" label="Disabled" />
      ),
  }),
  textColumn("two-factor", "Two-factor", (user) => user.twoFactorEnabled, {
    filterable: false,
  }),
  textColumn("sign-in", "Sign-in method", (user) => user.signInMethods.join(", ")),
  numberColumn("sessions", "Open sessions", (user) => user.sessionCount),
  timeColumn(
    "seen",
    "Last seen",
    (user) => user.lastSeenAt,
    { show: "relative", missing: "no open session" },
    { filterable: false },
  ),
  textColumn("created", "Created", (user) => user.createdAt, {
    hiddenAtFirst: true,
    filterable: false,
  }),
];

export const invitationColumns: Column<InvitationRow>[] = [
  textColumn("email", "E-mail", (invitation) => invitation.email, {
    hideable: false,
    cell: (invitation) => <span className="font-medium">{invitation.email}</span>,
  }),
  textColumn("role", "Role", (invitation) => invitation.role, {
    cell: (invitation) => <RoleBadge role={invitation.role} />,
  }),
  { id: "by", header: "Invited by", value: (invitation) => invitation.invitedBy },
  { id: "created", header: "Invited", value: (invitation) => invitation.createdAt },
  { id: "expires", header: "Expires", value: (invitation) => invitation.expiresAt },
];
