export * from "./cell.ts";
export { diskCellResultSchema } from "./cell-schema.ts";
export * from "./drive.ts";
export { type DrivePeers, type DrivePeersInput, drivePeersInput, type PeerPoint } from "./peers.ts";
export * from "./target.ts";
