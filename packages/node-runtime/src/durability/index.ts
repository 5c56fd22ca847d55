export { type AdminAccess, readAdminAccess } from "../admin/access.ts";
export * from "../admin/ask-admin.ts";
export { announceEpoch, askEpoch, type EpochReply, fetchEpoch } from "../admin/ask-epoch.ts";
export type { EpochNote } from "../admin/epoch-pages.ts";
export * from "../encryption/ask-encryption.ts";
export type { ReportedShard } from "../uploads-page.ts";
export { type AskHeldShardsOptions, askHeldShards } from "./ask-held-shards.ts";
export {
  askLifecycle,
  type LifecycleAnswer,
  type LifecyclePreview,
  lifecyclePreviewSchema,
} from "./ask-lifecycle.ts";
export * from "./ask-lost.ts";
export { askPieces, type PiecesPage } from "./ask-pieces.ts";
export { askProcess, askRestart, type NodeProcess, type ProcessAnswer } from "./ask-process.ts";
export { countDurableOfUpload, countDurableShards } from "./count-durable-shards.ts";
