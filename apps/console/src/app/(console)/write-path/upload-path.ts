/** Names the path in the list of uploads. Traces of uploads that were not stored have "direct", which acknowledged none. */
import type { UploadTraceRow } from "@stashlight/contracts/upload/trace";

export const formatUploadPath = ({ path, result }: Pick<UploadTraceRow, "path" | "result">): string =>
  result === "stored" ? path : "not stored";
