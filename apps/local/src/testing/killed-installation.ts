/** A whole installation with a small vault, for tests that kill its parts while clients upload. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type PartState, parseParts } from "@stashlight/contracts/health";
import { compileCacheEnvironment } from "@stashlight/contracts/process";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { S3Client } from "@stashlight/s3/client";
import { Installation } from "../installation.ts";
import { installationParts } from "../installation-parts.ts";
import type { Options } from "../options.ts";
import { partsFilePath } from "../parts-file.ts";
import type { RestartPolicy } from "../restart-policy.ts";
import { freePort, projectDirectory } from "../role/testing/role-processes.ts";
import { findCoordinator, s3Address } from "../vault/vault-file.ts";
import { vaultFilePath } from "../vault/vault-folders.ts";
import { writeSmallVault } from "./small-vault.ts";

/** Shortens the restart delays; otherwise kills would come a minute apart. */
const restarts: RestartPolicy = { firstDelayMs: 1, delayMsMax: 20, steadyAfterMs: 1e9, failingFrom: 3 };

export interface KilledInstallation {
  readonly dataDirectory: string;
  readonly consoleUrl: string;
  readonly ingestUrl: string;
  /** Terminal output since the last start. */
  output(): string;
  /** Resolves when clients are served. */
  start(): Promise<void>;
  parts(): PartState[];
  client(connectionCountMax: number): S3Client;
  stop(): Promise<void>;
  /** Removes the data folder of a stopped installation. */
  remove(): void;
}

export async function createKilledInstallation(parentFolder: string): Promise<KilledInstallation> {
  const dataDirectory = mkdtempSync(join(parentFolder, "stashlight-kills-"));
  const options = await createOptions(dataDirectory);
  const { ingestPort } = options;
  await writeSmallVault(vaultFilePath(dataDirectory), { ingestPort, segmentCount: 16 });
  let running: { readonly installation: Installation; readonly ended: Promise<unknown> } | undefined;
  let output = "";
  const start = async (): Promise<void> => {
    output = "";
    const started = Promise.withResolvers<void>();
    const write = (text: string) => {
      output += text;
      if (output.includes("Press Ctrl-C to stop.")) started.resolve();
    };
    const installation = new Installation(options, {
      ...installationParts(projectDirectory),
      env: { PATH: process.env.PATH, ...compileCacheEnvironment() },
      terminal: { write },
      restarts,
    });
    const ended = installation.run();
    running = { installation, ended };
    await Promise.race([
      started.promise,
      ended.then((outcome) => {
        throw new Error(`The installation exited at start:\n${output}`, { cause: outcome });
      }),
    ]);
  };
  return {
    dataDirectory,
    consoleUrl: options.publicUrl,
    ingestUrl: `http://127.0.0.1:${options.ingestPort}`,
    output: () => output,
    start,
    parts: () => parseParts(readFileSync(partsFilePath(dataDirectory), "utf8"))?.parts ?? [],
    client: (connectionCountMax) => createClient(dataDirectory, connectionCountMax),
    stop: async () => {
      await running?.installation.stop();
      running = undefined;
    },
    remove: () => rmSync(dataDirectory, { recursive: true }),
  };
}

export async function createOptions(dataDirectory: string): Promise<Options> {
  const [port, ingestPort, s3Port] = [await freePort(), await freePort(), await freePort()];
  return {
    port,
    ingestPort,
    dataDirectory,
    host: "127.0.0.1",
    publicUrl: `http://127.0.0.1:${port}`,
    databaseUrl: undefined,
    runtimeDatabaseUrl: undefined,
    storageProfile: "plain",
    recoverEmail: undefined,
    isNewSecretAccepted: false,
    simulatedFleet: undefined,
    vault: { s3Port, hasDemoLoad: false, isModelled: false, shape: {}, count: undefined },
  };
}

function createClient(dataDirectory: string, connectionCountMax: number): S3Client {
  const file = loadVaultFile(vaultFilePath(dataDirectory));
  const [key] = file.accessKeys;
  if (key === undefined) throw new Error(`The vault of ${findCoordinator(file).id} has no access key.`);
  const { endpoint, region } = s3Address(file);
  return new S3Client({ endpoint, region, accessKey: key, connectionCountMax });
}
