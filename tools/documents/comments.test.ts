import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkComments } from "./comments.ts";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** Findings for one source file beside a file that exists. */
function messagesFor(source: string, file = "tools/a.ts"): string[] {
  const root = mkdtempSync(join(tmpdir(), "stashlight-comments-"));
  made.push(root);
  for (const [path, text] of Object.entries({ "tools/there.ts": "", [file]: source })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkComments(root).map(({ line, message }) => `${line}: ${message}`);
}

const dangling: [string, string, string][] = [
  [
    "a field's comment",
    "interface A {\n  /** Of the run. */\n  seed: number;\n}",
    '2: has a comment that opens with "Of"',
  ],
  [
    "a block of several lines",
    "\n/**\n * And here\n * it goes on.\n */",
    '2: has a comment that opens with "And"',
  ],
  ["a comment behind code", "const a = 1; // none of them", '1: has a comment that opens with "none"'],
  ["a run of lines", "const a = 1;\n// That it ends\n// is sure.", '2: has a comment that opens with "That"'],
  ["two words", "// As does the other.", 'opens with "As does"'],
  ["a relative clause", "/* Which is late. */", 'opens with "Which"'],
];

test.each(dangling)("%s that leans on the line above is an error", (_name, source, message) => {
  expect(messagesFor(source)).toEqual([expect.stringContaining(message)]);
});

test("JSX and style sheets are read as well", () => {
  expect(messagesFor("const a = <p>{/* Such a case. */}</p>;", "tools/a.tsx")).toHaveLength(1);
  expect(messagesFor("p { color: red; }\n\n/* Nor this. */", "tools/a.css")).toEqual([
    expect.stringContaining('3: has a comment that opens with "Nor"'),
  ]);
});

test.each(["// See tools/gone.ts.", "// See `tools/gone.ts`.", "/** Written by tools/*.gone. */"])(
  "%s is an error, because its path does not exist",
  (source) => {
    expect(messagesFor(source)).toEqual([expect.stringContaining("gone")]);
  },
);

test("sentences with a subject and paths that exist pass", () => {
  const source = [
    "// The first line of a run may go on",
    "// of course with any word.",
    "/** Often or offset are other words; see `tools/there.ts`, tools/there.ts:12 and tools/*.ts. */",
    'const text = "// Of course"; // A path such as https://example.com/tools/gone.ts is another site\'s.',
  ].join("\n");
  expect(messagesFor(source)).toEqual([]);
});
