export { type AuditAction, auditActions } from "./actions.ts";
export * from "./audit.ts";
