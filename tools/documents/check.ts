import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type MarkdownFacts, readMarkdown } from "./markdown.ts";

/** A path or an anchor that a document names and that does not exist. */
export interface DocumentFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const SKIPPED_FOLDERS = new Set(["node_modules", "generated", "test-results", "playwright-report"]);

/** Folders whose files documents name in back-ticks. */
const NAMED_FOLDERS = /^(?:apps|agents|packages|tools|e2e|prisma|docs|\.ci)\//;

/** Paths that only exist after a build, a run or an installation. */
const MADE_LATER = /(?:^|\/)(?:node_modules|\.next|\.turbo|\.stashlight|generated|test-results)(?:\/|$)/;

/** Checks relative links, heading anchors and back-ticked paths of every Markdown file under `root`. */
export function checkDocuments(root: string): DocumentFinding[] {
  const read = new Map<string, MarkdownFacts>();
  const readFacts = (file: string): MarkdownFacts => {
    const facts = read.get(file) ?? readMarkdown(readFileSync(join(root, file), "utf8"));
    read.set(file, facts);
    return facts;
  };
  return markdownFiles(root, root).flatMap((file) => {
    const facts = readFacts(file);
    const links = facts.links.flatMap(({ target, line }) => {
      const message = checkLink(root, file, target, readFacts);
      return message === null ? [] : [{ file, line, message }];
    });
    const paths = facts.codes.flatMap(({ text, line }) => {
      const message = checkPath(root, text);
      return message === null ? [] : [{ file, line, message }];
    });
    return [...links, ...paths];
  });
}

function markdownFiles(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const skipped = entry.name.startsWith(".") || SKIPPED_FOLDERS.has(entry.name);
        return skipped ? [] : markdownFiles(root, path);
      }
      return entry.name.endsWith(".md") ? [relative(root, path).replaceAll("\\", "/")] : [];
    })
    .sort();
}

function checkLink(
  root: string,
  file: string,
  target: string,
  factsOf: (file: string) => MarkdownFacts,
): string | null {
  if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target)) return null;
  const [encoded = "", anchor] = target.split("#", 2);
  const path = decodeURIComponent(encoded.replace(/\?.*$/, ""));
  const from = path.startsWith("/") ? path.slice(1) : join(dirname(file), path);
  const wanted = path === "" ? file : from;
  if (wanted.startsWith("..")) return `links to "${target}", which is outside the repository.`;
  if (!existsSync(join(root, wanted))) return `links to "${target}", but ${wanted} does not exist.`;
  if (anchor === undefined || anchor === "" || !wanted.endsWith(".md")) return null;
  if (factsOf(wanted).anchors.has(anchor)) return null;
  return `links to "${target}", but ${wanted} has no heading "#${anchor}".`;
}

/** Checks a path such as `tools/verify.ts`; `*`, `{a,b}` and `<entity>` must match at least one file. */
export function checkPath(root: string, text: string): string | null {
  if (!NAMED_FOLDERS.test(text) || /\s|\.\.\.|…/.test(text)) return null;
  const path = text.replace(/:\d+$/, "").replace(/#.*$/, "");
  if (MADE_LATER.test(path)) return null;
  const pattern = path.replace(/<[^>/]+>/g, "*");
  if (!/[*{]/.test(pattern)) {
    return existsSync(join(root, path)) ? null : `names \`${text}\`, but there is no such file or folder.`;
  }
  const matches = globSync(pattern, { cwd: root, exclude: (each) => SKIPPED_FOLDERS.has(each) });
  return matches.length > 0 ? null : `names \`${text}\`, but no file or folder matches it.`;
}
