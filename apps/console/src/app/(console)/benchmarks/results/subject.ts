import type { BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark/result";
import { formatSize } from "@stashlight/contracts/benchmark/sizes";

export const subjectKey = ({
  operation,
  sizeBytes,
  connectionCount,
}: Pick<BenchmarkSubjectChoice, "operation" | "sizeBytes" | "connectionCount">): string =>
  `${operation}-${sizeBytes}-${connectionCount}`;

export function formatSubject({
  operation,
  sizeBytes,
  connectionCount,
}: Pick<BenchmarkSubjectChoice, "operation" | "sizeBytes" | "connectionCount">): string {
  if (operation === "TCP_CONNECT") return "TCP connect (ping)";
  const over = connectionCount === 1 ? "" : ` over ${connectionCount} connections`;
  return `${operation} ${formatSize(sizeBytes)}${over}`;
}
