/**
 * The audit log's arithmetic. Each event's hash is SHA-256 over the previous event's hash and the event's canonical
 * form (JSON with sorted keys); each finished day is sealed by a hash over its last event and the previous seal.
 * Editing or removing an event breaks the chain there. Cutting off events of a sealed day breaks its seal; witness.ts
 * detects newer ones.
 */
import { createHash } from "node:crypto";
import type { AuditDetails, AuditValue } from "@stashlight/contracts/audit";

export const genesisHash = "0".repeat(64);

export interface ChainedEvent {
  sequence: number;
  occurredAt: Date;
  actorId: string | null;
  actorName: string;
  actorRole: string | null;
  ipAddress: string;
  userAgent: string;
  action: string;
  targetKind: string | null;
  targetId: string | null;
  targetName: string | null;
  before: AuditDetails | null;
  after: AuditDetails | null;
}

export interface Seal {
  /** UTC day, as YYYY-MM-DD. */
  day: string;
  firstSequence: number;
  lastSequence: number;
  eventCount: number;
  lastHash: string;
}

/** JSON with object keys in code-point order, so that equal values have equal text. */
export function canonicalJson(value: AuditValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

function sha256(...parts: string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\n");
  return hash.digest("hex");
}

export function hashEvent(previousHash: string, event: ChainedEvent): string {
  const { occurredAt, ...rest } = event;
  return sha256(previousHash, canonicalJson({ ...rest, occurredAt: occurredAt.toISOString() }));
}

export function hashSeal(previousSealHash: string, seal: Seal): string {
  return sha256(previousSealHash, canonicalJson({ ...seal }));
}

export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
