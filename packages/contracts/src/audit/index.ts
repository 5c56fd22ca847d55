export { type AuditAction, auditActions } from "./actions.ts";
export {
  type AuditDetails,
  type AuditFilter,
  type AuditRow,
  type AuditValue,
  type AuditVerification,
  auditActionNames,
  exportAuditInput,
  listAuditInput,
} from "./audit.ts";
