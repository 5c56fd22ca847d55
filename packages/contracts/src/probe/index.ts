export {
  type FsyncFigure,
  type FsyncJob,
  type FsyncProbeRow,
  type FsyncProbes,
  type FsyncReport,
  type FsyncResult,
  fsyncDriveInput,
  fsyncProbeStates,
  fsyncResultSchema,
  fsyncVaultInput,
  type ProbeAsk,
  type ProbeDrive,
  probeAskSchema,
  probeDriveSchema,
  probeDrivesMax,
  type ReportedDrive,
} from "./fsync.ts";
export { fsyncProbePlan } from "./fsync-plan.ts";
