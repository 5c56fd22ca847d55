/** References of a Markdown file to other files, outside its fenced code. Lines count from 1. */
export interface MarkdownFacts {
  readonly links: readonly { readonly target: string; readonly line: number }[];
  /** Inline code. */
  readonly codes: readonly { readonly text: string; readonly line: number }[];
  /** Anchors of its headings as GitHub makes them, and explicit ones. */
  readonly anchors: ReadonlySet<string>;
}

const INLINE_CODE = /(`+)(?!`)(.*?[^`])\1(?!`)/g;
const INLINE_LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;
const DEFINED_LINK = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/g;
const HTML_LINK = /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)\s*=\s*["']([^"']+)["']/g;
const EXPLICIT_ANCHOR = /\b(?:id|name)\s*=\s*["']([^"']+)["']/g;

export function readMarkdown(source: string): MarkdownFacts {
  const links: { target: string; line: number }[] = [];
  const codes: { text: string; line: number }[] = [];
  const anchors = new Set<string>();
  const slugs = new Map<string, number>();
  let fence: string | null = null;
  for (const [index, text] of source.split(/\r?\n/).entries()) {
    const line = index + 1;
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    for (const match of text.matchAll(INLINE_CODE)) codes.push({ text: (match[2] as string).trim(), line });
    const prose = text.replace(INLINE_CODE, (code) => "x".repeat(code.length));
    for (const pattern of [INLINE_LINK, DEFINED_LINK, HTML_LINK]) {
      for (const match of prose.matchAll(pattern)) links.push({ target: match[1] as string, line });
    }
    for (const match of prose.matchAll(EXPLICIT_ANCHOR)) anchors.add(match[1] as string);
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(text)?.[1];
    if (heading !== undefined) anchors.add(uniqueSlug(heading, slugs));
  }
  return { links, codes, anchors };
}

/** GitHub's rule: lower case, punctuation dropped, spaces to hyphens, repeats numbered. */
function uniqueSlug(heading: string, slugs: Map<string, number>): string {
  const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
  const slug = plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
