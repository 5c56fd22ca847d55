import { repositoryRoot } from "../run/environment.ts";
import { findUnusedExports } from "./unused.ts";

const unused = findUnusedExports(repositoryRoot);
for (const { file, line, name } of unused) {
  console.log(
    `${file}:${line}: exports ${name}, which nothing imports; remove the export, or what it exports.`,
  );
}
if (unused.length > 0) {
  console.log(unused.length === 1 ? "1 export is unused." : `${unused.length} exports are unused.`);
  process.exitCode = 1;
}
