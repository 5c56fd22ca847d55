export { type DriveKind, type FirmwareCluster, findFirmwareCluster } from "./firmware-clusters.ts";
export {
  HOURS_MIN,
  judgePeers,
  PEERS_MIN,
  type PeerJudgement,
  type PeerJudgements,
  SLOW_HOURS,
  SLOW_WITHIN_HOURS,
} from "./judge-peers.ts";
export type { DriveWindow, PeerDrive, PeerFit } from "./peer-fit.ts";
