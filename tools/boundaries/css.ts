import { lineFinder } from "../run/line-finder.ts";
import type { ModuleFacts } from "./parse.ts";

const BLANKED_COMMENT = /\/\*[\s\S]*?\*\//g;
const AT_IMPORT = /@(?:import|plugin|config|reference)\s+(?:url\(\s*)?["']([^"']+)["']/g;

/** Files and packages that a style sheet loads by `@import` and its Tailwind relatives. */
export function readStyleImports(source: string): ModuleFacts {
  const text = source.replace(BLANKED_COMMENT, (comment) => comment.replace(/[^\n]/g, " "));
  const lineAt = lineFinder(text);
  const imports = [...text.matchAll(AT_IMPORT)].map((match) => ({
    specifier: match[1] ?? null,
    line: lineAt(match.index),
    isDynamic: false,
  }));
  return { imports, globals: [], syntaxError: null };
}
