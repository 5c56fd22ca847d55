export * from "./accept-batches.ts";
export type { Remark, RemarkReason } from "./fit.ts";
