/** Prefix of the outcome when housekeeping found the audit log changed; the health page searches for it. */
export const auditBrokenPrefix = "The audit log is broken";
