import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { agentEntry } from "@stashlight/node-runtime/launch";
import { announcementOf } from "./announcement.ts";
import { buildIfNeeded } from "./build.ts";
import {
  type DatabaseAddress,
  embeddedDatabase,
  externalDatabase,
  prepareDatabase,
  prepareDatabaseProcess,
} from "./database.ts";
import { baseEnvironment, childEnvironment, demoEnvironment } from "./environment.ts";
import { Failure } from "./failure.ts";
import { forgetFleet } from "./fleet/forget-fleet.ts";
import { type Lock, takeLock } from "./lock.ts";
import { prepareLogFile } from "./log-files.ts";
import { killGroup, startNode } from "./node-process.ts";
import type { Options } from "./options.ts";
import { alreadyRunning, createDataFolder, lockFileOf } from "./preflight.ts";
import type { DatabasePrepared } from "./prepare-database.ts";
import { loadSecret } from "./secret.ts";
import { type Part, Supervisor, type SupervisorEvent } from "./supervisor.ts";
import { vaultFileOf } from "./vault/files.ts";
import { startVault, type VaultStarted } from "./vault/local-vault.ts";
import { probeEntry } from "./vault/probe.ts";
import { createView, type View } from "./view.ts";

export interface ChildDefinition {
  name: string;
  label: string;
  entry: string;
  args?: string[];
  nodeFlags?: readonly string[];
}

export interface InstallationContext {
  projectDirectory: string;
  env: NodeJS.ProcessEnv;
  terminal: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** In the order they are started. */
  children: ChildDefinition[];
  /** Writes to the vault and frees it again, so that there is something to see. */
  demoLoad: ChildDefinition;
  /** Simulated nodes; told as arguments how many, how many days, and where the ingest is. */
  fleet: ChildDefinition;
}

type Outcome = "stopped" | { error: unknown };

const childPatienceMs = 2500;
/** A migration that is cut off has to be repaired by hand, and takes a second or two. */
const migrationPatienceMs = 5000;
const stopWithinMs = 9500;

/** One running Stashlight: started once, stopped once. */
export class Installation {
  readonly #options: Options;
  readonly #context: InstallationContext;
  readonly #view: View;
  readonly #supervisor: Supervisor;
  /** Builds and migrations under way, with the time that a stop leaves them to finish. */
  readonly #helpers = new Map<ChildProcess, number>();
  readonly #ended = Promise.withResolvers<Outcome>();
  readonly #stopRequest = new AbortController();
  #lock: Lock | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: Options, context: InstallationContext) {
    this.#options = options;
    this.#context = context;
    this.#view = createView(context.terminal, context.env, labelsOf(options, context));
    this.#supervisor = new Supervisor((event) => this.#onEvent(event));
  }

  /** Resolves when it has been stopped, or cannot go on; the caller then stops what is left. */
  async run(): Promise<Outcome> {
    this.#start().catch((error) => this.#ended.resolve({ error }));
    const outcome = await this.#ended.promise;
    this.#view.settle();
    return this.#stopping ? "stopped" : outcome;
  }

  async #start(): Promise<void> {
    const { dataDirectory, publicUrl } = this.#options;
    createDataFolder(dataDirectory);
    const taken = takeLock(lockFileOf(dataDirectory), publicUrl);
    if ("holder" in taken) throw alreadyRunning(dataDirectory, taken.holder.pid, taken.holder.note);
    this.#lock = taken.lock;
    const secret = loadSecret(dataDirectory, this.#context.env.STASHLIGHT_SECRET);
    const [database] = await Promise.all([this.#openDatabase(), this.#build()]);
    const env = childEnvironment(this.#options, this.#context.env, database, secret);
    const prepared = await this.#migrate(database, env);
    for (const child of this.#context.children) await this.#startChild(child, env);
    const vault = await this.#startVault(env);
    await this.#startFleet(env);
    this.#view.settle();
    for (const line of announcementOf(this.#options, prepared, vault)) this.#view.say(line);
  }

  #startChild(child: ChildDefinition, env: NodeJS.ProcessEnv): Promise<void> {
    return this.#view.step(child.label, async () => {
      await this.#supervisor.start(this.#childPart(child, env));
      return "ready";
    });
  }

  async #startVault(installationEnv: NodeJS.ProcessEnv): Promise<VaultStarted | undefined> {
    const { vault, dataDirectory, ingestPort } = this.#options;
    if (!vault) return undefined;
    const env = baseEnvironment(this.#context.env);
    let started: VaultStarted | undefined;
    await this.#view.step("Vault", async ({ show }) => {
      started = await startVault({
        projectDirectory: this.#context.projectDirectory,
        dataDirectory,
        ports: { s3: vault.s3Port, ingest: ingestPort },
        isModelled: vault.isModelled,
        shape: vault.shape,
        count: vault.count,
        hasBenchmark: vault.hasDemoLoad,
        installationEnv,
        env,
        show,
        onSpawn: (child) => this.#trackHelper(child, 0),
        startPart: (part) => this.#supervisor.start(part),
        stopping: this.#stopRequest.signal,
      });
      return started.detail;
    });
    if (started && vault.hasDemoLoad) {
      await this.#startChild(this.#context.demoLoad, {
        ...env,
        ...demoEnvironment(started.prepared),
        STASHLIGHT_VAULT_FILE: vaultFileOf(dataDirectory),
      });
    }
    return started;
  }

  async #startFleet(env: NodeJS.ProcessEnv): Promise<void> {
    const { simulatedFleet, dataDirectory, host, ingestPort } = this.#options;
    const { fleet, projectDirectory } = this.#context;
    if (simulatedFleet === undefined) return;
    const { nodeCount, dayCount } = simulatedFleet;
    if (nodeCount > 0) {
      const args = [String(nodeCount), String(dayCount), `http://${host}:${ingestPort}`];
      await this.#startChild({ ...fleet, args }, env);
      return;
    }
    await this.#view.step(fleet.label, ({ show }) => {
      show("removing what it measured");
      const logFile = prepareLogFile(dataDirectory, fleet.name);
      return forgetFleet({ env, workingDirectory: projectDirectory, logFile }, (child) =>
        this.#trackHelper(child, 0),
      );
    });
  }

  #build(): Promise<void> {
    const { projectDirectory, children, demoLoad } = this.#context;
    const agents = [agentEntry, probeEntry].map((entry) => join(projectDirectory, entry));
    const entries = [...children, demoLoad].map(({ entry }) => entry).concat(agents);
    const logFile = prepareLogFile(this.#options.dataDirectory, "build");
    const onSpawn = (child: ChildProcess) => this.#trackHelper(child, 0);
    return this.#view.step("Program", ({ show }) =>
      buildIfNeeded({ projectDirectory, logFile, show, entries, onSpawn }),
    );
  }

  async #openDatabase(): Promise<DatabaseAddress> {
    const { databaseUrl, runtimeDatabaseUrl, dataDirectory } = this.#options;
    let address: DatabaseAddress | undefined;
    await this.#view.step("Database", async ({ show }) => {
      if (databaseUrl !== undefined) {
        address = externalDatabase(databaseUrl, runtimeDatabaseUrl ?? databaseUrl);
      } else {
        const log = (line: string) => (address ? this.#view.say(line) : show(line));
        await this.#supervisor.start(
          embeddedDatabase(dataDirectory, log, (opened) => {
            address = opened;
          }),
        );
      }
      return address?.description ?? "";
    });
    if (!address) throw new Failure("The database has no address.");
    return address;
  }

  async #migrate(database: DatabaseAddress, env: NodeJS.ProcessEnv): Promise<DatabasePrepared> {
    let prepared: DatabasePrepared | undefined;
    await this.#view.step("Migrations", async () => {
      const definition = {
        ...prepareDatabaseProcess(this.#options.dataDirectory),
        workingDirectory: this.#context.projectDirectory,
        env: {
          ...env,
          STASHLIGHT_OWNER_DATABASE_URL: database.ownerUrl,
          STASHLIGHT_RECOVER_EMAIL: this.#options.recoverEmail,
          STASHLIGHT_ACCEPT_NEW_SECRET: this.#options.isNewSecretAccepted ? "yes" : undefined,
          STASHLIGHT_STORAGE_PROFILE: this.#options.storageProfile,
        },
      };
      prepared = await prepareDatabase(definition, (child) => this.#trackHelper(child, migrationPatienceMs));
      return prepared.appliedCount === 0 ? "up to date" : `${prepared.appliedCount} applied`;
    });
    if (!prepared) throw new Failure("The database was not prepared.");
    return prepared;
  }

  #childPart({ name, label, entry, args, nodeFlags }: ChildDefinition, env: NodeJS.ProcessEnv): Part {
    return {
      label,
      stopPatienceMs: childPatienceMs,
      start: (onSpawn) =>
        startNode(
          {
            label: `The ${name}`,
            entry,
            args: args ?? [],
            nodeFlags: nodeFlags ?? [],
            env,
            workingDirectory: this.#context.projectDirectory,
            logFile: prepareLogFile(this.#options.dataDirectory, name),
          },
          onSpawn,
        ),
    };
  }

  #onEvent(event: SupervisorEvent): void {
    const { label } = event.part;
    if (event.type === "ended") {
      const seconds = (event.restartInMs / 1000).toFixed(1);
      this.#view.say(`${label} ended unexpectedly (${event.exit}); starting it again in ${seconds} s.`);
    } else if (event.type === "restarted") {
      this.#view.say(`${label} is running again.`);
    } else {
      const logs = `${this.#options.dataDirectory}/logs`;
      const sentence = `${label} ended too often (last: ${event.reason}), so everything was stopped; see ${logs}.`;
      this.#ended.resolve({ error: new Failure(sentence) });
    }
  }

  #trackHelper(child: ChildProcess, patienceMs: number): void {
    this.#helpers.set(child, patienceMs);
    child.once("exit", () => this.#helpers.delete(child));
    if (this.#stopping) killGroup(child);
  }

  /** Ends every process in order; what has not ended within 10 s is killed. */
  stop(announcement?: string): Promise<void> {
    if (announcement !== undefined && !this.#stopping) this.#view.say(announcement);
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    this.#view.settle();
    this.#stopRequest.abort();
    const timer = setTimeout(() => this.kill(), stopWithinMs);
    await Promise.all([...this.#helpers].map(([child, patienceMs]) => endHelper(child, patienceMs)));
    await this.#supervisor.stop();
    clearTimeout(timer);
    this.#lock?.release();
    this.#ended.resolve("stopped");
  }

  kill(): void {
    for (const helper of this.#helpers.keys()) killGroup(helper);
    this.#supervisor.kill();
    this.#lock?.release();
  }
}

function labelsOf(
  { vault, simulatedFleet }: Options,
  { children, demoLoad, fleet }: InstallationContext,
): string[] {
  const labels = ["Program", "Database", "Migrations", ...children.map(({ label }) => label)];
  if (vault) labels.push("Vault");
  if (vault?.hasDemoLoad) labels.push(demoLoad.label);
  if (simulatedFleet) labels.push(fleet.label);
  return labels;
}

async function endHelper(child: ChildProcess, patienceMs: number): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (patienceMs > 0) await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
  killGroup(child);
  await ended;
}
