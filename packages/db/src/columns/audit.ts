import type { AuditDetails } from "@stashlight/contracts/audit";
import { auditActionNames } from "@stashlight/contracts/audit";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

/** Every JSON object is valid details: an event keeps whatever concerns its action. */
const details = z.custom<AuditDetails>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "It is no object.",
);

/** The hash of an event covers what is stored, so the chain is verified over the raw values and not over these. */
export const auditEventColumns = {
  action: wordColumn("audit_event.action", auditActionNames),
  before: jsonColumn("audit_event.before", details),
  after: jsonColumn("audit_event.after", details),
};
