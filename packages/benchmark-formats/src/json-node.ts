import type { ImportLimits } from "./imported-run.ts";
import { RefusedFile, shown } from "./refusal.ts";

/** Value of parsed JSON with its path, so that messages can name the wrong value. */
export interface JsonNode {
  readonly value: unknown;
  readonly path: string;
}

/**
 * Limits of containers and values per row, checked before parsing, because more than a maximal file needs would fill
 * the memory.
 */
const CONTAINERS_PER_ROW = 4;
const VALUES_PER_ROW = 40;

/** Parses the whole text, or `part` of it; line numbers in a refusal refer to the text. */
export function parseJson(text: string, limits: ImportLimits, part: string = text): JsonNode {
  let containerCount = 0;
  let valueCount = 0;
  for (let i = 0; i < part.length; i += 1) {
    const code = part.charCodeAt(i);
    if (code === 0x7b || code === 0x5b) containerCount += 1;
    else if (code === 0x2c) valueCount += 1;
  }
  const rowsMin = Math.max(containerCount / CONTAINERS_PER_ROW, valueCount / VALUES_PER_ROW) - 1000;
  if (rowsMin > limits.rowsMax) {
    throw new RefusedFile("too-many-rows", `The file has more values than ${limits.rowsMax} rows can have.`);
  }
  try {
    return { value: JSON.parse(part), path: "" };
  } catch (error) {
    const { line } = errorLine(error, part);
    const linesBefore = text.slice(0, text.lastIndexOf(part)).split("\n").length - 1;
    const place = line === undefined ? {} : { line: line + linesBefore };
    throw new RefusedFile("not-readable", "This is not valid JSON.", place);
  }
}

/** V8 puts either the line or the position in its message. */
function errorLine(error: unknown, text: string): { line?: number } {
  const message = error instanceof Error ? error.message : "";
  const line = /\(line (\d+) column/.exec(message)?.[1];
  if (line !== undefined) return { line: Number(line) };
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return { line: text.slice(0, Number(position)).split("\n").length };
  return /end of JSON/.test(message) ? { line: text.split("\n").length } : {};
}

function bad(node: JsonNode, wanted: string): RefusedFile {
  const given = node.value === undefined ? "It is missing" : `It is ${shown(node.value)}`;
  return new RefusedFile("bad-value", `${given}; it must be ${wanted}.`, { field: node.path });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value below `key`, which is undefined if missing. */
export function at(node: JsonNode, key: string): JsonNode {
  if (!isRecord(node.value)) throw bad(node, "an object");
  const path = node.path === "" ? key : `${node.path}.${key}`;
  return { value: Object.hasOwn(node.value, key) ? node.value[key] : undefined, path };
}

/** Returns null for a missing value or JSON's null. */
export function optionalAt(node: JsonNode, key: string): JsonNode | null {
  const child = at(node, key);
  return child.value === undefined || child.value === null ? null : child;
}

export function requireNumber(node: JsonNode): number {
  if (typeof node.value !== "number" || !Number.isFinite(node.value) || node.value < 0) {
    throw bad(node, "a number of at least zero");
  }
  return node.value;
}

export function requireCount(node: JsonNode): number {
  if (!Number.isSafeInteger(node.value) || (node.value as number) < 0) throw bad(node, "a whole number");
  return node.value as number;
}

export function requireString(node: JsonNode): string {
  if (typeof node.value !== "string") throw bad(node, "a text");
  return node.value;
}

export function requireItems(node: JsonNode): JsonNode[] {
  if (!Array.isArray(node.value)) throw bad(node, "a list");
  return node.value.map((value: unknown, i) => ({ value, path: `${node.path}[${i}]` }));
}

export function requireEntries(node: JsonNode): [key: string, child: JsonNode][] {
  if (!isRecord(node.value)) throw bad(node, "an object");
  return Object.keys(node.value).map((key) => [key, at(node, key)]);
}
