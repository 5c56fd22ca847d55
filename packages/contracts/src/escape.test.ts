import fc from "fast-check";
import markdownIt from "markdown-it";
import { expect, test } from "vitest";
import { csvField, escapeHtml, escapeSlack, plainText, withoutMarkup } from "./escape.ts";

const JOINER = "\u2060";
/** Bare host names stay unchanged, because nodes are named like that. */
const markdown = markdownIt({ linkify: true, html: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Returns the text as a reader sees it, with lookalike characters restored. */
const seen = (text: string): string =>
  text.replaceAll(JOINER, "").replaceAll(/[\u2217\uff3f\u223c\u02cb]/g, (each) => {
    const originals: Record<string, string> = {
      "\u2217": "*",
      "\uff3f": "_",
      "\u223c": "~",
      "\u02cb": "`",
    };
    return originals[each] ?? each;
  });

const pieces = [
  ...["[", "]", "(", ")", "](", "][x]", "[x]: ", "!", "*", "**", "_", "__", "~", "~~", "`", "```", "\\", "|"],
  ...[
    "<",
    ">",
    "</",
    "<a href=",
    "<!channel>",
    "<@U1>",
    "<at>",
    "&",
    "&#91;",
    "&lt;",
    "@here",
    "@",
    "#",
    "# ",
  ],
  ...[
    "- ",
    "+ ",
    "1. ",
    "> ",
    "---",
    "===",
    "    ",
    "\n",
    "\r\n",
    "\t",
    "\u2028",
    "\u202e",
    "\0",
    ":",
    "/",
    "=",
  ],
  ...[
    "https://e.example",
    "HTTP://",
    "mailto:a@b",
    "javascript:x",
    "://",
    "ftp://x",
    "pod-1",
    "s1",
    " ",
    "a_b",
  ],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "grapheme", maxLength: 3 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

test.each([
  ["a link", "[sign in](https://evil.example)", "[sign in]\u2060(https:\u2060//evil.example)"],
  ["an image", "![x](https://evil.example/a.png)", "![x]\u2060(https:\u2060//evil.example/a.png)"],
  ["an address", "see https://evil.example", "see https:\u2060//evil.example"],
  ["a mail address", "mailto:a@b.example", "mailto:\u2060a@\u2060b.example"],
  ["a tag", "<a href=x>", "<\u2060a href=x>"],
  ["an entity", "&#60;b&#62;", "&\u2060#60;b&\u2060#62;"],
  ["a mention", "@here", "@\u2060here"],
  [
    "emphasis",
    "*b* _i_ __u__ ~s~ `c`",
    "\u2217b\u2217 \uff3fi\uff3f \uff3f\uff3fu\uff3f\uff3f \u223cs\u223c \u02cbc\u02cb",
  ],
  ["a heading", "# big", "\u2060# big"],
  ["a list", "1. one", "\u20601. one"],
  ["lines", "one\r\n\n- two", "one - two"],
  ["letters that turn around", "a\u202ebc", "abc"],
])("%s in a label is made harmless", (_, label, expected) => {
  expect(withoutMarkup(label)).toBe(expected);
});

test.each([
  "stash-1",
  "stashlight_fsync_seconds",
  "/dev/disk/by-id/nvme-SAMSUNG_MZ__1",
  "p99 69.6 ms, n 6,400, above 50 ms.",
  "1.2.4",
  "-5",
  "pod-1.example.com:9000",
  "Gr\u00f6\u00dfe (Norden)",
])("%s is left unchanged", (label) => {
  expect(withoutMarkup(label)).toBe(label);
  expect(escapeSlack(label)).toBe(label);
});

test("a Markdown reader finds only one paragraph of plain text in a label", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const tokens = markdown.parse(withoutMarkup(label), {});
      const children = tokens.flatMap(({ children: inner }) => inner ?? []);
      expect([...new Set(children.map(({ type }) => type))]).toEqual(children.length === 0 ? [] : ["text"]);
      expect(tokens.map(({ type }) => type)).toEqual(
        tokens.length === 0 ? [] : ["paragraph_open", "inline", "paragraph_close"],
      );
      expect(seen(children.map(({ content }) => content).join(""))).toBe(seen(plainText(label)));
    }),
    { numRuns: 2_000 },
  );
});

test("Slack reads a label as plain text, without control sequences, mentions or emphasis", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const escaped = escapeSlack(label);
      expect(escaped).not.toMatch(/[<>*~`]|&(?!(?:amp|lt|gt);)|@(?:here|channel|everyone)/);
      expect(escaped).not.toMatch(/(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u);
      const decoded = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
      expect(seen(decoded)).toBe(seen(plainText(label)));
    }),
    { numRuns: 2_000 },
  );
});

test("plain text is one line in which no scheme begins a link", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const text = plainText(label);
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      expect(text).not.toMatch(/[a-z][a-z0-9+.-]*:\/\//i);
      expect(plainText(text)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test("HTML shows a label as plain text, in content and in attributes", () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const escaped = escapeHtml(label);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const decoded = escaped
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
      expect(decoded).toBe(label);
    }),
  );
});

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["", ""],
  [null, ""],
  [-7, "-7"],
])("the CSV field of %j is %j", (value, field) => {
  expect(csvField(value)).toBe(field);
});

test("no text in a CSV field begins a formula or ends the field", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n＝＋－＠,\"'a1 ") }), (text) => {
      const field = csvField(text);
      const inner = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
      expect(field.startsWith('"') || !/[",\r\n]/.test(field)).toBe(true);
      expect(inner).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
      expect([text, `'${text}`]).toContain(inner);
    }),
  );
});
