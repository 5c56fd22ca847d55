import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readWorkspace } from "../boundaries/workspace.ts";
import { checkPath, type DocumentFinding } from "./check.ts";
import { checkEnglish } from "./english.ts";
import { readComments, readStrings } from "./source-texts.ts";

/** Paths in back-ticks may have any characters; others consist of plain words. */
const QUOTED_PATH = /`([^`\n]+)`/g;
const PLAIN_PATH = /(?<![\w./@`-])(?:apps|agents|packages|tools|e2e|prisma|docs)\/[\w./<>{},*-]*[\w/>}*]/g;

/** Checks the English of every source file under `root`, and the paths that its comments name. */
export function checkComments(root: string): DocumentFinding[] {
  return readWorkspace(root).files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    const comments = readComments(file, source);
    const paths = comments.flatMap(({ text, line }) =>
      pathsIn(text).map((path) => ({ line, message: checkPath(root, path) })),
    );
    const english = [...comments, ...readStrings(file, source)].map(({ kind, text, line }) => ({
      line,
      message: checkEnglish(kind, text),
    }));
    return [...english, ...paths].flatMap(({ line, message }) =>
      message === null ? [] : [{ file, line, message }],
    );
  });
}

function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED_PATH)].map((match) => match[1] as string);
  const plain = [...text.replace(QUOTED_PATH, "").matchAll(PLAIN_PATH)].map((match) => match[0]);
  return [...quoted, ...plain];
}
