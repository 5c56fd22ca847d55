import { parseSync, Visitor } from "oxc-parser";

export type TextKind = "comment" | "test name" | "page text" | "message";

/** English in a source file: a comment, the name of a test, text of a page, or a string of several words. */
export interface SourceText {
  readonly kind: TextKind;
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

interface Placed {
  readonly kind: TextKind;
  readonly text: string;
  readonly start: number;
}

const TEST_FILE = /\.(?:test|spec)\.tsx?$/;
/** Strings of fewer words are names and keys. */
const SENTENCE = /\S+\s+\S+\s+\S+/;
const TEST_FUNCTIONS: ReadonlySet<string | undefined> = new Set(["test", "it", "describe"]);

/** Reads the comments of a file; line comments that follow each other are one. */
export function readComments(file: string, source: string): SourceText[] {
  const lineAt = countLines(source);
  const found = file.endsWith(".css") ? readStyleComments(source) : parseSync(file, source).comments;
  const comments: { kind: "comment"; text: string; line: number; endLine: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of found) {
    const line = lineAt(start);
    const endLine = lineAt(end);
    const text = value.replace(/^[ \t]*\*+[ \t]?/gm, "").trim();
    const before = comments.at(-1);
    const isLine = type === "Line";
    if (isLine && before?.isLine && before.endLine === line - 1) {
      before.text += `\n${text}`;
      before.endLine = endLine;
    } else comments.push({ kind: "comment", text, line, endLine, isLine });
  }
  return comments.map(({ kind, text, line }) => ({ kind, text, line }));
}

/** Reads the names of tests, the text of pages and, outside tests, strings of at least three words. */
export function readStrings(file: string, source: string): SourceText[] {
  if (file.endsWith(".css")) return [];
  const isTest = TEST_FILE.test(file);
  const placed: Placed[] = [];
  const addSentence = (text: string, start: number): void => {
    if (!isTest && SENTENCE.test(text)) placed.push({ kind: "message", text, start });
  };
  new Visitor({
    CallExpression({ callee, arguments: [name] }) {
      if (!isTest || name === undefined || !TEST_FUNCTIONS.has(rootName(callee))) return;
      const text = literalText(name);
      if (text !== null) placed.push({ kind: "test name", text, start: name.start });
    },
    JSXText({ value, start }) {
      if (value.trim() !== "") placed.push({ kind: "page text", text: value.trim(), start });
    },
    Literal({ value, start }) {
      if (typeof value === "string") addSentence(value, start);
    },
    TemplateElement({ value, start }) {
      addSentence(value.cooked ?? value.raw, start);
    },
  }).visit(parseSync(file, source).program);
  const lineAt = countLines(source);
  return placed
    .sort((a, b) => a.start - b.start)
    .map(({ kind, text, start }) => ({ kind, text, line: lineAt(start) }));
}

interface Callee {
  readonly type: string;
  readonly name?: unknown;
  readonly object?: Callee;
  readonly callee?: Callee;
}

/** Returns `test` of `test`, `test.each` and `test.each(rows)`. */
function rootName(callee: Callee): string | undefined {
  const inner = callee.object ?? callee.callee;
  if (inner !== undefined) return rootName(inner);
  return typeof callee.name === "string" ? callee.name : undefined;
}

function literalText(node: {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}): string | null {
  if (typeof node.value === "string") return node.value;
  return node.quasis?.map(({ value }) => value.raw).join("…") ?? null;
}

function readStyleComments(source: string): { type: "Block"; value: string; start: number; end: number }[] {
  return [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({
    type: "Block",
    value: match[1] as string,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Returns a function from offsets, asked in any order, to lines. */
function countLines(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
