import { repositoryRoot } from "../run/environment.ts";
import { findUnusedExports } from "./unused.ts";

const unused = findUnusedExports(repositoryRoot);
for (const { file, line, name, door } of unused) {
  const reason =
    door === null
      ? "which nothing imports; remove the export, or what it exports."
      : `which ${door} passes on and no other package imports; list the names that it passes on.`;
  console.log(`${file}:${line}: exports ${name}, ${reason}`);
}
if (unused.length > 0) {
  console.log(unused.length === 1 ? "1 export is unused." : `${unused.length} exports are unused.`);
  process.exitCode = 1;
}
