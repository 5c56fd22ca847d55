/** A function fits a screen. Biome's rule of that kind skips braces and the text of JSX, so this one replaces it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readWorkspace } from "../boundaries/workspace.ts";
import { repositoryRoot } from "../run/environment.ts";
import { LINES_PER_FUNCTION_MAX, measureFunctions } from "./measure.ts";

for (const file of readWorkspace(repositoryRoot).files.filter((each) => !each.endsWith(".css"))) {
  for (const { name, line, lineCount } of measureFunctions(
    file,
    readFileSync(join(repositoryRoot, file), "utf8"),
  )) {
    if (lineCount <= LINES_PER_FUNCTION_MAX) continue;
    console.log(
      `${file}:${line}: ${name} has ${lineCount} lines, the limit is ${LINES_PER_FUNCTION_MAX}; move one step of it into a function of its own.`,
    );
    process.exitCode = 1;
  }
}
