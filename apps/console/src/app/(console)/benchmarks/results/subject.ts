import {
  type BenchmarkSubjectChoice,
  formatDriveOperation,
  formatOver,
} from "@stashlight/contracts/benchmark";
import { formatSize } from "@stashlight/contracts/sample";

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
  const verb = formatDriveOperation(operation) ?? operation;
  return `${verb} ${formatSize(sizeBytes)}${formatOver(operation, connectionCount)}`;
}
