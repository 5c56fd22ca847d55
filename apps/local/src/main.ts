/** `npm start`: starts, watches and stops the database, worker, console and vault of one machine. */
import { resolve } from "node:path";
import { Failure } from "./failure.ts";
import { Installation } from "./installation.ts";
import { installationParts } from "./installation-parts.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { checkSurroundings } from "./preflight.ts";
import { parseRole, parseRoleOptions, roleHelp } from "./role/options.ts";
import { startRole } from "./role/start.ts";
import { onStopRequest } from "./stop-request.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");

async function main(): Promise<void> {
  const surroundings = { env: process.env, projectDirectory, currentDirectory: process.cwd() };
  const args = process.argv.slice(2);
  const role = parseRole(args, process.env);
  if (role !== undefined) return runRole(role, args);
  const options = parseOptions(args, surroundings);
  if (options === "help") {
    console.log(help);
    return;
  }
  await checkSurroundings(options);
  await runInstallation(options);
}

async function runRole(role: string, args: string[]): Promise<void> {
  const { env } = process;
  const options = parseRoleOptions(role, args, { env, currentDirectory: process.cwd() });
  if (options === "help") return console.log(roleHelp);
  await startRole(options, { projectDirectory, env, say: console.log });
  // Exits explicitly, because a timer of the schema engine would keep the process alive for ten seconds.
  process.exit();
}

async function runInstallation(options: Options): Promise<void> {
  const installation = new Installation(options, {
    ...installationParts(projectDirectory),
    env: process.env,
    terminal: process.stdout,
  });
  let exitCode = 0;
  const fail = (error: unknown) => {
    exitCode = 1;
    reportError(error);
  };
  onStopRequest({
    stop: () =>
      installation.stop("Stopping.").then(
        () => process.exit(exitCode),
        () => process.exit(1),
      ),
    kill: () => {
      installation.kill();
      process.exit(130);
    },
  });
  const outcome = await installation.run();
  if (outcome !== "stopped") fail(outcome.error);
  await installation.stop();
  process.exit(exitCode);
}

function reportError(error: unknown): void {
  if (error instanceof Failure) {
    const evidence = error.evidence.map((line) => `  ${line}`);
    process.stderr.write(`${[error.message, ...evidence].join("\n")}\n`);
  } else if (error instanceof Error && error.name === "EmbeddedPostgresError") {
    process.stderr.write(`${error.message}\n`);
  } else {
    process.stderr.write(`Stashlight failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
}

// Survives a closed terminal until the children are stopped.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

main().catch((error) => {
  reportError(error);
  process.exit(1);
});
