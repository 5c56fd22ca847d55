/** Reads files written by people, in YAML or JSON: returns their content, or one sentence per fault, with its line. */
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

export type Readable<Value> =
  | {
      readonly type: "read";
      readonly value: Value;
      /** "FILE:LINE" of a value in it, or of the nearest existing parent. */
      readonly placeOf: (keys: readonly PropertyKey[]) => string;
    }
  | { readonly type: "faulty"; readonly faults: readonly string[] };

/** Reports every fault in a sentence that begins with the file and the line. */
export function parseReadable<Schema extends z.ZodType>(
  text: string,
  path: string,
  schema: Schema,
): Readable<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ message, pos }) => {
      return `${path}:${lines.linePos(pos[0]).line}: this is not YAML: ${message.replace(/\.$/, "")}.`;
    });
    return { type: "faulty", faults };
  }
  const locateField = (keys: readonly PropertyKey[]): string => `${path}:${fieldLine(document, lines, keys)}`;
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (parsed.success) return { type: "read", value: parsed.data, placeOf: locateField };
  const faults = parsed.error.issues.flatMap((issue) =>
    issueSentences(issue).map((sentence) => `${locateField(issue.path)}: ${sentence}`),
  );
  return { type: "faulty", faults };
}

/** Line of a value, or of its nearest existing parent. */
function fieldLine(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let length = keys.length; length > 0; length -= 1) {
    const node = document.getIn(keys.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function issueSentences(issue: z.core.$ZodIssue): string[] {
  const name = formatPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${name === "" ? "" : `${name}: `}"${key}" is not known here.`);
  }
  if (issue.code === "invalid_type" && issue.message.includes("received undefined"))
    return [`${name} is missing.`];
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return [`${name} must be ${withArticle(issue.expected)}.`];
  }
  return [`${name} ${issue.message.replace(/\.$/, "")}.`];
}

const withArticle = (expected: string): string => (expected === "string" ? "a text" : `a ${expected}`);

/** Formats "machines[2].address", counted from 1 as people do. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part + 1}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
