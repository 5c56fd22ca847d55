import { z } from "zod";
import type { Role } from "./roles.ts";

/** Every action that leaves a trace, with the sentence fragment the console shows. */
export const auditActions = {
  "setup.completed": "set up the installation",
  "session.signed_in": "signed in",
  "session.sign_in_failed": "failed to sign in",
  "session.signed_out": "signed out",
  "session.ended": "ended a session",
  "session.ended_all": "ended all sessions of a user",
  "user.invited": "invited a user",
  "user.invitation_revoked": "revoked an invitation",
  "user.joined": "accepted an invitation",
  "user.role_changed": "changed a role",
  "user.disabled": "disabled a user",
  "user.enabled": "enabled a user",
  "user.profile_updated": "updated their settings",
  "user.password_changed": "changed their password",
  "user.password_link_issued": "issued a password link",
  "user.password_reset": "reset a password by link",
  "user.totp_enabled": "turned on two-factor sign-in",
  "user.totp_disabled": "turned off two-factor sign-in",
  "user.backup_codes_renewed": "renewed their backup codes",
  "schedule.paused": "paused a schedule",
  "schedule.resumed": "resumed a schedule",
  "schedule.run_requested": "ran a job now",
  "audit.exported": "exported the audit log",
  "audit.verified": "verified the audit log",
} as const;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

export type AuditValue = string | number | boolean | null | AuditValue[] | { [key: string]: AuditValue };
export type AuditDetails = { [key: string]: AuditValue };

export interface AuditRow {
  /** Gapless from 1; the order in which events were written. */
  sequence: number;
  occurredAt: Date;
  actorId: string | null;
  actorName: string;
  actorRole: Role | null;
  ipAddress: string;
  userAgent: string;
  action: AuditAction;
  targetKind: string | null;
  targetId: string | null;
  targetName: string | null;
  before: AuditDetails | null;
  after: AuditDetails | null;
  /** SHA-256, hexadecimal, over the previous event's hash and this event's canonical form. */
  hash: string;
}

const auditFilter = z.object({
  fromMs: z.number().int().min(0),
  toMs: z.number().int().min(0),
  action: z.enum(auditActionNames).optional(),
  actorId: z.string().max(64).optional(),
  text: z.string().trim().max(200).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditPageSizeMax = 200;
export const listAuditInput = auditFilter.extend({
  /** Returns events before this sequence number, newest first. */
  beforeSequence: z.number().int().positive().optional(),
  pageSize: z.number().int().min(1).max(auditPageSizeMax).default(100),
});
export const exportAuditInput = auditFilter.extend({ format: z.enum(["csv", "json"]) });

export interface AuditVerification {
  state: "intact" | "broken";
  /** A sentence: what was checked, or which event does not fit and how. */
  sentence: string;
  eventsChecked: number;
  sealedDays: number;
  brokenAtSequence: number | null;
  checkedAt: Date;
  durationMs: number;
}
