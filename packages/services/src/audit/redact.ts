import type { AuditDetails, AuditValue } from "@stashlight/contracts/audit";
import { storableText } from "../storable-text.ts";

const detailLengthMax = 10_000;
export const redacted = "[redacted]";
const secretName =
  /password|secret|token|hash|credential|backup.?code|totp|cookie|private|authorization|api.?key|access.?key/i;

/** Returns a copy without the values of fields that have secret names, at any depth. */
export function redactSecrets(details: AuditDetails): AuditDetails {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redactField(name, value)]));
}

function redactValue(value: AuditValue): AuditValue {
  if (typeof value === "string") return storableText(value, detailLengthMax);
  if (Array.isArray(value)) return value.map(redactValue);
  if (value === null || typeof value !== "object") return value;
  return redactSecrets(value);
}

function redactField(name: string, value: AuditValue): AuditValue {
  const isHidden = secretName.test(name) && typeof value !== "boolean" && value !== null;
  return isHidden ? redacted : redactValue(value);
}
