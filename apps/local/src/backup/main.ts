/** `npm run backup` and `npm run restore`. */
import { existsSync, statSync } from "node:fs";
import { StashlightError } from "@stashlight/contracts/errors";
import { type BackupEnd, backUp, type Restored } from "@stashlight/db/backup";
import { ownerUrlIn } from "@stashlight/db/embedded";
import { backupKey, type RestoreConsoleOptions, restoreConsole } from "@stashlight/services/backup";
import { Failure } from "../failure.ts";
import { type BackupCommand, type BackupSource, help, parseBackup } from "./options.ts";
import { findSecret, readGivenSecret } from "./writer-secret.ts";

async function run(command: BackupCommand): Promise<void> {
  if (command.verb === "help") return console.log(help);
  return command.verb === "backup" ? runBackup(command) : runRestore(command);
}

async function runBackup(command: Extract<BackupCommand, { verb: "backup" }>): Promise<void> {
  const { path, from, hasMetrics } = command;
  if (existsSync(path)) throw new Failure(`${path} already exists; name another file.`);
  const seconds = stopwatch();
  const url = sourceUrl(from);
  const secret = findSecret(command, from.type === "folder" ? from.directory : undefined);
  if (secret === undefined) {
    throw new Failure(
      "A backup is authenticated with the installation's secret, and none was given. Set STASHLIGHT_SECRET, or name its file with --secret-file.",
    );
  }
  const key = backupKey(secret);
  const end = await backUp({ url, path, nowMs: Date.now(), hasMetrics, key });
  console.log(`${path} has ${describeRows(end)}: ${formatFileSize(path)} in ${seconds()} s.`);
  console.log(
    `It can be verified only with the installation's secret (key ${key.keyId}): keep that secret (STASHLIGHT_SECRET, or the file secret in its folder) apart from the file, and safe.`,
  );
  const others = end.keyIds.filter((keyId) => keyId !== key.keyId);
  if (others.length > 0) {
    const keys = others.length === 1 ? "the key" : "the keys";
    console.log(`Some secrets in it are encrypted with ${keys} ${others.join(", ")}.`);
  }
}

async function runRestore(command: Extract<BackupCommand, { verb: "restore" }>): Promise<void> {
  const { path, databaseUrl, profile } = command;
  const seconds = stopwatch();
  const { secret, verification } = secretToVerify(command);
  if (verification === "unverified") {
    process.stderr.write(
      `WARNING: ${path} is restored unverified. Nothing shows who wrote it or that it is unchanged. Before anyone signs in, check every user's role, access keys, nodes and channels.\n`,
    );
  }
  const restored = await restoreConsole({
    ownerUrl: databaseUrl,
    path,
    profile,
    secret,
    verification,
    now: () => new Date(),
    log: (line) => console.log(line),
  });
  console.log(
    `${describeRows(restored)} of ${restored.createdAt}, were restored in ${seconds()} s. All users must sign in again.`,
  );
  for (const line of describeNextSteps(restored, verification)) console.log(line);
}

function secretToVerify(
  command: Extract<BackupCommand, { verb: "restore" }>,
): Pick<RestoreConsoleOptions, "secret" | "verification"> {
  if (command.otherInstallation !== undefined) {
    const secret = readGivenSecret("--other-installation", command.otherInstallation);
    return { secret, verification: "other-installation" };
  }
  if (command.isUnverified) return { secret: undefined, verification: "unverified" };
  const secret = findSecret(command);
  if (secret !== undefined) return { secret, verification: "own" };
  throw new Failure(
    "A backup is verified with the secret of the installation that wrote it, and none was given. Set STASHLIGHT_SECRET, or name its file with --secret-file; if the secret is lost, --unverified restores without a check.",
  );
}

function describeNextSteps(
  { keyId }: Restored,
  verification: RestoreConsoleOptions["verification"],
): string[] {
  const lines = [
    "Move audit-seals.jsonl away if it is newer than the backup: it names events that are not in it.",
  ];
  if (verification === "own") return lines;
  if (verification === "other-installation") {
    lines.unshift(
      "Its users, keys and roles are that installation's, and anyone who has its secret could have written the file: check who is an admin.",
    );
  }
  if (keyId === null) return lines;
  const advice = "start with that secret, or once with --accept-new-secret, which gives up what it encrypts";
  return [
    `The database needs the secret that the backup was written with (key ${keyId}): ${advice}.`,
    ...lines,
  ];
}

/** "812 rows, without metrics" */
function describeRows({ rowCount, metricRowCount }: BackupEnd): string {
  return metricRowCount === null
    ? `${rowCount} rows, without metrics`
    : `${rowCount} rows, ${metricRowCount} of them metrics`;
}

function stopwatch(): () => string {
  const startMs = performance.now();
  return () => ((performance.now() - startMs) / 1000).toFixed(1);
}

const formatFileSize = (path: string): string => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

function sourceUrl(from: BackupSource): string {
  if (from.type === "url") return from.url;
  const url = ownerUrlIn(from.directory);
  if (url !== null) return url;
  throw new Failure(
    `${from.directory} has no database of npm start; name its folder with --data, or a database with --database-url.`,
  );
}

/** Prints one sentence, for a terminal or a timer's mail, even for an unexpected error. */
function describeFailure(error: unknown): string {
  if (error instanceof Failure || error instanceof StashlightError) return error.message;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const [line] = reason.split("\n");
  return `It failed unexpectedly: ${line}. Report this with the command that you ran.`;
}

try {
  const surroundings = { env: process.env, currentDirectory: process.cwd() };
  await run(parseBackup(process.argv.slice(2), surroundings));
  // Exits explicitly, because a timer of the schema engine would keep the process alive for ten seconds.
  process.exit();
} catch (error) {
  const isExpected = error instanceof Failure || error instanceof StashlightError;
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(isExpected ? 2 : 1);
}
