export { type AuditExport, exportAudit } from "./export.ts";
export { listAudit } from "./list.ts";
export { verifyAudit } from "./verify.ts";
