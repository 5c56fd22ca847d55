/**
 * The demo load: `main.ts FOLDER...` backs these folders up into the vault's bucket "demo", slowly and in an endless
 * loop, and deletes each backup one round later. It waits while the vault is down or full.
 */
import { setTimeout as delay } from "node:timers/promises";
import { lineOutput, onSupervisorGone, reportReady } from "@stashlight/contracts/process";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import { benchmarkBucket, demoBucket } from "@stashlight/contracts/upload";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { askAdmin, readAdminAccess } from "@stashlight/node-runtime/durability";
import { S3Client } from "@stashlight/s3/client";
import { pino } from "pino";
import { createFreeSpaceGate } from "./free-space-gate.ts";
import { createRetrier } from "./retry-requests.ts";
import { runRound, slots } from "./round.ts";
import { readFillShare } from "./vault-fill.ts";

const blockBytes = 262_144;
const blockCountMax = 256;
/** At most two requests per second. */
const everyMs = 500;
const firstDelayMs = 1000;
const delayMsMax = 30_000;
const pauseMs = 10_000;
const roundsPerLogLine = 100;
const roomEveryMs = 5_000;
/** Share below the stop mark at which the demo load resumes. */
const resumeBelow = 0.05;

const log = pino({ name: "demo load" }, lineOutput());
const folders = process.argv.slice(2);

const client = new S3Client({
  endpoint: variable("STASHLIGHT_S3_ENDPOINT"),
  region: variable("STASHLIGHT_S3_REGION"),
  accessKey: { id: variable("STASHLIGHT_S3_ACCESS_KEY_ID"), secret: variable("STASHLIGHT_S3_SECRET") },
  connectionCountMax: 1,
});

const request = createRetrier({
  everyMs,
  firstDelayMs,
  delayMsMax,
  nowMs: () => performance.now(),
  sleep: delay,
  observe: (event) => {
    if (event.type === "again") log.info("the vault takes requests again");
    else log.warn({ code: event.error.code }, "the vault takes no requests; waiting for it");
  },
});

const file = loadVaultFile(variable("STASHLIGHT_VAULT_FILE"));
const access = readAdminAccess(file);
const { demoStopShare } = vaultMarks;
const untilRoom = createFreeSpaceGate({
  readFill: () => readFillShare({ file, access, ask: askAdmin }),
  stopShare: demoStopShare,
  resumeShare: demoStopShare - resumeBelow,
  everyMs: roomEveryMs,
  nowMs: () => performance.now(),
  sleep: delay,
  observe: ({ type, fill }) => {
    const fullPercent = fill === null ? null : Math.round(fill * 100);
    if (type === "again") log.info({ fullPercent }, "the vault has space again; the demo load resumes");
    else
      log.warn(
        { fullPercent, stopPercent: demoStopShare * 100 },
        "the vault is filling up; the demo load waits",
      );
  },
});

// Exits at once, because every request is independent.
onSupervisorGone(() => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
process.once("SIGINT", () => process.exit(0));
log.info({ folders }, "ready");
reportReady();

for (let round = 0; ; round++) {
  try {
    for (const bucket of [demoBucket, benchmarkBucket]) await request(() => client.ensureBucket(bucket));
    const slot = slots[round % slots.length] ?? slots[0];
    const root = process.cwd();
    const result = await runRound({
      client,
      root,
      folders,
      blockBytes,
      blockCountMax,
      slot,
      request,
      random: Math.random,
      untilRoom,
    });
    if (round % roundsPerLogLine === 0) log.info({ round, ...result }, "a backup of the demo load is done");
  } catch (error) {
    log.error({ err: error }, "a backup of the demo load failed; the next one begins anew");
  }
  await delay(pauseMs);
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; npm start sets it for the demo load.`);
  return value;
}
