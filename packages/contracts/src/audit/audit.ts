import { z } from "zod";
import { instantMs } from "../time/instant.ts";
import type { Role } from "../user/roles.ts";
import { type AuditAction, auditActions } from "./actions.ts";

export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

export type AuditValue = string | number | boolean | null | AuditValue[] | { [key: string]: AuditValue };
export type AuditDetails = { [key: string]: AuditValue };

export interface AuditRow {
  /** Gapless from 1, in the order of writing. */
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

/** Postgres stores no NUL in text, so a search cannot contain one. */
const withoutNul = (text: z.ZodString) =>
  text.refine((value) => !value.includes("\0"), "The text contains a NUL character; remove it.");

const auditFilter = z.object({
  fromMs: instantMs,
  toMs: instantMs,
  action: z.enum(auditActionNames).optional(),
  actorId: withoutNul(z.string().max(64)).optional(),
  text: withoutNul(z.string().trim().max(200)).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

const auditPageSizeMax = 200;
export const listAuditInput = auditFilter.extend({
  /** Returns events before this sequence number, newest first. */
  beforeSequence: z.number().int().positive().optional(),
  pageSize: z.number().int().min(1).max(auditPageSizeMax).default(100),
});
export const exportAuditInput = auditFilter.extend({ format: z.enum(["csv", "json"]) }).strict();

export interface AuditVerification {
  state: "intact" | "broken";
  /** Sentence that names the checks that passed, or the event that breaks the chain and how. */
  sentence: string;
  eventsChecked: number;
  sealedDays: number;
  brokenAtSequence: number | null;
  /** Lines of the seal file that agree with the log; null if this process has no data folder. */
  fileSealCount: number | null;
  checkedAt: Date;
  durationMs: number;
}
