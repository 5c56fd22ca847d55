import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { readWorkspace } from "../boundaries/workspace.ts";
import { checkPath, type DocumentFinding } from "./check.ts";

/** A comment, or several `//` lines that follow each other, as one text. */
interface Comment {
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** Words that lean on the line above, so that the comment has no subject of its own. */
const DANGLING =
  /^(?:And|But|Neither|None|Nor|Of|Or|Such|Than|That|Those|Thus|Which|Whom|Whose|As (?:do|does|did|is|are|was)|So (?:do|does|did|is|are))\b/i;

/** Paths in back-ticks may have any characters; others end where a path of plain words does. */
const QUOTED_PATH = /`([^`\n]+)`/g;
const PLAIN_PATH = /(?<![\w./@`-])(?:apps|agents|packages|tools|e2e|prisma|docs)\/[\w./<>{},*-]*[\w/>}*]/g;

/** Checks how comments open and the paths that they name, in every source file under `root`. */
export function checkComments(root: string): DocumentFinding[] {
  return readWorkspace(root).files.flatMap((file) => {
    const comments = readComments(file, readFileSync(join(root, file), "utf8"));
    return comments.flatMap(({ text, line }) =>
      [checkOpening(text), ...pathsIn(text).map((path) => checkPath(root, path))].flatMap((message) =>
        message === null ? [] : [{ file, line, message }],
      ),
    );
  });
}

function checkOpening(text: string): string | null {
  const opening = DANGLING.exec(text)?.[0];
  if (opening === undefined) return null;
  return `has a comment that opens with "${opening}"; write a sentence that has its own subject.`;
}

function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED_PATH)].map((match) => match[1] as string);
  const plain = [...text.replace(QUOTED_PATH, "").matchAll(PLAIN_PATH)].map((match) => match[0]);
  return [...quoted, ...plain];
}

function readComments(file: string, source: string): Comment[] {
  const found = file.endsWith(".css") ? styleComments(source) : parseSync(file, source).comments;
  const comments: { text: string; line: number; endLine: number; isLine: boolean }[] = [];
  let line = 1;
  let offset = 0;
  for (const { type, value, start, end } of found) {
    line += lineBreaksIn(source.slice(offset, start));
    const endLine = line + lineBreaksIn(source.slice(start, end));
    const text = value.replace(/^[ \t]*\*+[ \t]?/gm, "").trim();
    const before = comments.at(-1);
    const isLine = type === "Line";
    if (isLine && before?.isLine && before.endLine === line - 1) {
      before.text += `\n${text}`;
      before.endLine = endLine;
    } else comments.push({ text, line, endLine, isLine });
    line = endLine;
    offset = end;
  }
  return comments;
}

function styleComments(source: string): { type: "Block"; value: string; start: number; end: number }[] {
  return [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({
    type: "Block",
    value: match[1] as string,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function lineBreaksIn(text: string): number {
  return text.split("\n").length - 1;
}
