export {
  type AcceptBatchesOptions,
  acceptBatches,
  type ReceivedBatch,
  refusalOfTime,
} from "./accept-batches.ts";
export type { Remark, RemarkReason } from "./fit.ts";
