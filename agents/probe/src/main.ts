/**
 * The probe agent: runs benchmarks from its location, for a console elsewhere, and measures the sync speed of the
 * drives that a file lists.
 *
 *     main.ts --ingest URL --name NAME --state FOLDER [--drives FILE] [--ca FILE] [--enrolment-token-file FILE]
 */
import { readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEnrolmentToken } from "@stashlight/contracts/machine-agent";
import { lineOutput, onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";
import { obtainKey } from "@stashlight/telemetry";
import { pino } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { ArgumentError, parseArguments } from "./arguments.ts";
import { type OfferedDrive, readDrives } from "./drives/drives.ts";
import { live } from "./probe.ts";

const AGENT_VERSION = packageJson.version;
const TIMEOUT_MS = 15_000;
const POLL_MS = 5_000;
const BEAT_MS = 1_000;

const logger = pino({ base: { role: "probe" }, timestamp: pino.stdTimeFunctions.isoTime }, lineOutput());

async function run(): Promise<void> {
  const {
    ingest: origin,
    name,
    stateFolder,
    drivesFile,
    caFile,
    enrolmentTokenFile,
  } = parseArguments(process.argv.slice(2));
  const drives = drivesFile === null ? [] : await readDrives(drivesFile);
  await removeTestFiles(drives);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  onSupervisorGone(stop);
  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  const keyFile = join(stateFolder, "key.json");
  const address = {
    origin,
    timeoutMs: TIMEOUT_MS,
    ...(caFile === null ? {} : { ca: await readFile(caFile, "utf8") }),
  };
  const obtained = await obtainKey({
    ...address,
    keyFile,
    token: await readEnrolmentToken(enrolmentTokenFile),
    identity: { name, role: "probe", agentVersion: AGENT_VERSION },
    onWait: (reason) => logger.warn({ reason }, "waiting for the ingest to enrol this probe"),
    signal: stopping.signal,
  });
  if (obtained.type === "none") {
    if (obtained.because === "aborted") return;
    throw new ArgumentError(obtained.reason);
  }
  // Read for each request, so that a rotated key takes effect once it is written there.
  const key = () => (JSON.parse(readFileSync(keyFile, "utf8")) as { key: string }).key;
  logger.info({ node: obtained.identity.name }, "started");
  reportReady();
  await live({
    ingest: { ...address, key, nowMs: Date.now, agentVersion: AGENT_VERSION },
    outboxFolder: join(stateFolder, "outbox"),
    drives,
    pollMs: POLL_MS,
    beatMs: BEAT_MS,
    logger,
    stopping: stopping.signal,
  });
}

/** Removes test files of a probe that was killed during a measurement, which would take up space forever. */
async function removeTestFiles(drives: readonly OfferedDrive[]): Promise<void> {
  const offered = drives.filter(({ benchmark }) => benchmark !== null);
  if (offered.length === 0) return;
  const { removeLeftovers } = await import("@stashlight/disk-benchmark/leftovers");
  for (const { place } of offered) if (place.kind === "folder") await removeLeftovers(place.folder);
}

run().then(
  () => process.exit(0),
  (error: Error) => {
    if (!(error instanceof ArgumentError)) logger.fatal({ err: error }, "ended");
    reportFailed(error instanceof ArgumentError ? error.message : `The probe ended: ${error.message}`);
  },
);
