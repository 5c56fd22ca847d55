/** Checks what documents and comments name, how comments open, and the imports that docs/architecture.md shows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { boundaryRules } from "../boundaries/rules.ts";
import { repositoryRoot } from "../run/environment.ts";
import { checkDocuments, type DocumentFinding } from "./check.ts";
import { checkComments } from "./comments.ts";
import { withImports } from "./imports.ts";

function checkImports(): DocumentFinding[] {
  const file = "docs/architecture.md";
  const document = readFileSync(join(repositoryRoot, file), "utf8");
  if (document === withImports(document, boundaryRules)) return [];
  return [
    { file, line: 1, message: "shows other imports than tools/boundaries/rules.ts; run pnpm docs:imports." },
  ];
}

const findings = [...checkDocuments(repositoryRoot), ...checkComments(repositoryRoot), ...checkImports()];
for (const { file, line, message } of findings) console.log(`${file}:${line}: ${message}`);
if (findings.length > 0) process.exitCode = 1;
