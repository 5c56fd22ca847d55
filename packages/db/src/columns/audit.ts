import { type AuditDetails, auditActionNames } from "@stashlight/contracts/audit";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

/** Accepts any JSON object, because each action records different details. */
const details = z.custom<AuditDetails>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "It is not an object.",
);

/** The hash of an event covers the stored value, so the chain is verified on raw values rather than on these. */
export const auditEventColumns = {
  action: wordColumn("audit_event.action", auditActionNames),
  before: jsonColumn("audit_event.before", details),
  after: jsonColumn("audit_event.after", details),
};
