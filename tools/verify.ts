/**
 * `pnpm verify [--fix]`: everything that can be checked in seconds, without a database. `--fix` formats first and
 * applies the linter's safe repairs.
 */
import { type CommandResult, endChildrenOnSignal, runCommand, runTurbo } from "./run/command.ts";
import { runStep, type Step } from "./run/steps.ts";

const unknown = process.argv.slice(2).filter((argument) => argument !== "--fix");
if (unknown.length > 0) {
  console.error(`pnpm verify does not know ${unknown.join(" ")}; its only option is --fix.`);
  process.exit(1);
}
const shouldFix = process.argv.includes("--fix");

const formatAndLint: Step = {
  name: "format and lint",
  run: () =>
    runCommand(
      "biome",
      shouldFix ? ["check", "--write", "."] : ["ci", "--error-on-warnings", "--colors=off", "."],
    ),
};

const script = (name: string, path: string): Step => ({ name, run: () => runCommand("node", [path]) });

const checks = [
  script("import boundaries", "tools/boundaries/main.ts"),
  script("unused exports", "tools/exports/main.ts"),
  script("rights and audit of mutations", "tools/mutations/main.ts"),
  script("casts in services", "tools/casts/main.ts"),
  script("length of functions", "tools/function-length/main.ts"),
  script("documents and comments", "tools/documents/main.ts"),
];

/** Generates the types of Prisma's client. */
const generate: Step = { name: "generate", run: () => runTurbo(["generate"]) };

/**
 * All that runs in Node is one program, in which each file is checked once. As a program for each package, with the
 * packages that it imports, it took six times the processor time.
 */
const types = ["tsconfig.json", "packages/ui", "apps/console", "e2e"].map((path): Step => {
  const name = path === "tsconfig.json" ? "types" : `types of ${path}`;
  return { name, run: () => runCommand("tsc", ["--noEmit", "--project", path]) };
});

/** The type checks take the longest, so everything else runs beside them. */
async function inOrder(steps: readonly Step[]): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

endChildrenOnSignal();
const fixed = shouldFix ? await inOrder([formatAndLint]) : [];
const light = shouldFix ? checks : [formatAndLint, ...checks];
const results = await Promise.all([inOrder([generate, ...types]), inOrder(light)]);
if (![...fixed, ...results.flat()].every((result) => result.isGreen)) process.exitCode = 1;
