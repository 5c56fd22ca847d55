export { AdminError, type AdminSource, startAdminServer } from "./admin/admin-server.ts";
export type { HeldShard, UploadsPage } from "./admin/uploads-page.ts";
export { nextBootId } from "./drive/boot-id.ts";
export {
  DriveHost,
  type DriveHostOptions,
  type DriveMachine,
  type DriveObservation,
  type DriveState,
} from "./drive/drive-host.ts";
export { type DiskMeter, meteredDisk } from "./drive/metered-disk.ts";
export { modelledDisk } from "./drive/modelled-disk.ts";
export { type OpenDrive, type OpenDriveOptions, openDrive } from "./drive/open-drive.ts";
export { monotonicNowMs } from "./host/clock.ts";
export { MachineHost, type MachineHostOptions } from "./host/machine-host.ts";
export { Switchboard, type SwitchboardOptions } from "./host/switchboard.ts";
export { describeTransportEvent } from "./host/transport-log.ts";
export { createNodeRecorder, metricsOf } from "./metrics/node-metrics.ts";
export { startDriveNode } from "./node/drive-node.ts";
export { type AgentOptions, type RunningNode, runAgent } from "./process/run-agent.ts";
export { keyFileOf, nameOf } from "./report/identity.ts";
export { startReporting } from "./report/start-reporting.ts";
