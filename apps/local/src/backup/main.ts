/** `npm run backup` and `npm run restore`. */
import { existsSync, statSync } from "node:fs";
import { StashlightError } from "@stashlight/contracts/errors";
import { type BackupEnd, backUp, restore } from "@stashlight/db/backup";
import { ownerUrlIn } from "@stashlight/db/embedded";
import { assertKeyOfSecret } from "@stashlight/services/secret";
import { Failure } from "../failure.ts";
import { type BackupCommand, type BackupSource, help, parseBackup } from "./options.ts";

async function run(command: BackupCommand): Promise<void> {
  switch (command.verb) {
    case "help":
      return console.log(help);
    case "backup": {
      const { path, from, hasMetrics } = command;
      if (existsSync(path)) throw new Failure(`${path} is there already; name another file.`);
      const seconds = stopwatch();
      const end = await backUp({ url: urlOf(from), path, nowMs: Date.now(), hasMetrics });
      const { keyIds } = end;
      console.log(`${path} has ${rowsOf(end)}: ${sizeOf(path)} in ${seconds()} s.`);
      if (keyIds.length > 0) {
        const keys = keyIds.length === 1 ? "the key" : "the keys";
        console.log(
          `Secrets in it are encrypted with ${keys} ${keyIds.join(", ")}: keep the installation's secret (STASHLIGHT_SECRET, or the file secret in its folder) beside it.`,
        );
      }
      return;
    }
    case "restore": {
      const { path, databaseUrl, profile, secret } = command;
      const seconds = stopwatch();
      const restored = await restore({
        ownerUrl: databaseUrl,
        path,
        profile,
        log: (line) => console.log(line),
        ...(secret !== undefined && { checkKey: (keyId: string) => assertKeyOfSecret(keyId, secret) }),
      });
      console.log(
        `${rowsOf(restored)} of ${restored.createdAt}, were restored in ${seconds()} s. Everybody signs in again.`,
      );
      if (restored.keyId !== null && secret === undefined)
        console.log(
          `Start with the secret that it was made with (key ${restored.keyId}); another is refused.`,
        );
      console.log(
        "Move audit-seals.jsonl away if it is newer than the backup: it names events that are not in it.",
      );
    }
  }
}

/** "812 rows, without metrics" */
function rowsOf({ rowCount, metricRowCount }: BackupEnd): string {
  return metricRowCount === null
    ? `${rowCount} rows, without metrics`
    : `${rowCount} rows, ${metricRowCount} of them metrics`;
}

function stopwatch(): () => string {
  const startMs = performance.now();
  return () => ((performance.now() - startMs) / 1000).toFixed(1);
}

const sizeOf = (path: string): string => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

function urlOf(from: BackupSource): string {
  if (from.type === "url") return from.url;
  const url = ownerUrlIn(from.directory);
  if (url !== null) return url;
  throw new Failure(
    `${from.directory} has no database of npm start; name its folder with --data, or a database with --database-url.`,
  );
}

try {
  const surroundings = { env: process.env, currentDirectory: process.cwd() };
  await run(parseBackup(process.argv.slice(2), surroundings));
  // The schema engine leaves a timer of ten seconds behind.
  process.exit();
} catch (error) {
  const isExpected = error instanceof Failure || error instanceof StashlightError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}
