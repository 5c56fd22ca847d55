/** How the outcome of a housekeeping that found the audit log changed begins; the health page looks for it. */
export const auditBrokenPrefix = "The audit log is broken";
