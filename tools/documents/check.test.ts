import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkDocuments } from "./check.ts";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function messagesFor(readme: string): string[] {
  const root = mkdtempSync(join(tmpdir(), "stashlight-documents-"));
  made.push(root);
  const files = {
    "README.md": readme,
    "docs/architecture.md": "# The house\n\n## Allowed `imports`\n\n## Allowed `imports`\n",
    "packages/db/src/index.ts": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkDocuments(root).map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

const broken: [string, string, string][] = [
  [
    "a link to a missing file",
    "\n[x](docs/gone.md)",
    'README.md:2: links to "docs/gone.md", but docs/gone.md does',
  ],
  ["a missing image", "![x](docs/x.png)", "docs/x.png does not exist"],
  ["a missing image in HTML", '<img width="1" src="docs/x.png">', "docs/x.png does not exist"],
  ["a reference definition", "[x]: gone.md", "gone.md does not exist"],
  ["a missing anchor", "[x](docs/architecture.md#gone)", 'has no heading "#gone"'],
  ["a missing anchor in the same file", "[x](#gone)", 'README.md has no heading "#gone"'],
  ["a link out of the repository", "[x](../x.md)", "outside the repository"],
  ["a back-ticked path", "see `packages/db/src/gone.ts`", "no such file or folder"],
  ["a pattern without a match", "see `packages/*/src/<verb>.tsx`", "no file or folder matches"],
];

test.each(broken)("%s is an error", (_name, readme, message) => {
  expect(messagesFor(readme)).toEqual([expect.stringContaining(message)]);
});

test("existing paths, build outputs, other sites and fenced code pass", () => {
  const readme = [
    "# Stash & light",
    "[a](docs/architecture.md#allowed-imports-1) [b](#stash--light) [c](https://example.com/x) [d](./packages/db/)",
    "`packages/db/src/index.ts:12` `packages/*/src/<name>.ts` `packages/db/src/generated/client.ts` `packages/db/...`",
    "```sh",
    "cat [x](gone.md) `packages/gone`",
    "```",
  ].join("\n");
  expect(messagesFor(readme)).toEqual([]);
});
