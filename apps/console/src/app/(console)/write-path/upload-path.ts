/**
 * Names an upload's path in the list. Traces of uploads that were not stored have the path "direct", although no path
 * acknowledged them.
 */
import type { UploadTraceRow } from "@stashlight/contracts/upload";

export const formatUploadPath = ({ path, result }: Pick<UploadTraceRow, "path" | "result">): string =>
  result === "stored" ? path : "not stored";
