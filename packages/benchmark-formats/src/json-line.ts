/** Reads lines that are JSON documents. */
import type { JsonNode } from "./json-node.ts";
import { RefusedFile } from "./refusal.ts";

export function parseLine(source: string, line: number): JsonNode {
  try {
    return { value: JSON.parse(source), path: "" };
  } catch {
    throw new RefusedFile("not-readable", "This is not valid JSON.", { line });
  }
}

/** Adds the line number to refusals thrown inside. */
export function onLine<T>(line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    const { reason, message, field } = error.refusal;
    const what = field === undefined ? message : message.slice(message.indexOf(": ") + 2);
    throw new RefusedFile(reason, what, { line, ...(field !== undefined && { field }) });
  }
}
