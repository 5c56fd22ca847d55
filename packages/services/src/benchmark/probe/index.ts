export { claimProbeJob } from "./claim-job.ts";
export { recordProbeReport } from "./record-report.ts";
