/** `npm start`: database, worker, console and vault of one machine, started, watched and stopped together. */
import { join, resolve } from "node:path";
import { Failure } from "./failure.ts";
import { Installation } from "./installation.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { checkSurroundings } from "./preflight.ts";
import { onStopRequest } from "./stop-request.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");

/** A small young generation: tens of megabytes less in each process that mostly waits. */
const nodeFlags = ["--max-semi-space-size=2"];
/** Answers over a thousand nodes make much that is garbage at once; in less room a third of the time went into it. */
const consoleFlags = ["--max-semi-space-size=16"];

async function main(): Promise<void> {
  const surroundings = { env: process.env, projectDirectory, currentDirectory: process.cwd() };
  const options = parseOptions(process.argv.slice(2), surroundings);
  if (options === "help") {
    console.log(help);
    return;
  }
  await checkSurroundings(options);
  await runInstallation(options);
}

async function runInstallation(options: Options): Promise<void> {
  const childEntry = (path: string) => join(projectDirectory, path);
  const installation = new Installation(options, {
    projectDirectory,
    env: process.env,
    terminal: process.stdout,
    children: [
      { name: "worker", label: "Worker", entry: childEntry("apps/worker/src/main.ts"), nodeFlags },
      { name: "ingest", label: "Ingest", entry: childEntry("apps/ingest/src/main.ts"), nodeFlags },
      {
        name: "console",
        label: "Console",
        entry: childEntry("apps/console/src/server.ts"),
        nodeFlags: consoleFlags,
      },
    ],
    demoLoad: {
      name: "demo",
      label: "Demo load",
      entry: childEntry("apps/local/src/demo/main.ts"),
      args: ["packages", "docs"],
      nodeFlags,
    },
    fleet: { name: "fleet", label: "Simulated fleet", entry: childEntry("apps/local/src/fleet/main.ts") },
  });
  let exitCode = 0;
  const fail = (error: unknown) => {
    exitCode = 1;
    tell(error);
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

function tell(error: unknown): void {
  if (error instanceof Failure) {
    const evidence = error.evidence.map((line) => `  ${line}`);
    process.stderr.write(`${[error.message, ...evidence].join("\n")}\n`);
  } else if (error instanceof Error && error.name === "EmbeddedPostgresError") {
    process.stderr.write(`${error.message}\n`);
  } else {
    process.stderr.write(`Stashlight failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
}

// A terminal that was closed must not end us before the children are stopped.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

main().catch((error) => {
  tell(error);
  process.exit(1);
});
