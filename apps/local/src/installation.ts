import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { agentEntry } from "@stashlight/node-runtime/launch";
import { announcementLines, describeConsole } from "./announcement.ts";
import { buildIfNeeded } from "./build.ts";
import { type ChildDefinition, childPart } from "./child-part.ts";
import { ConsoleServices, describeStart } from "./console-services.ts";
import { baseEnvironment, demoEnvironment } from "./environment.ts";
import { forgetFleet } from "./fleet/forget-fleet.ts";
import { type Lock, takeLock } from "./lock.ts";
import { prepareLogFile } from "./log-files.ts";
import { killGroup } from "./node-process.ts";
import type { Options } from "./options.ts";
import { describeEvent } from "./part-events.ts";
import { createPartsFile, type PartsFile } from "./parts-file.ts";
import { alreadyRunning, createDataFolder, lockFilePath } from "./preflight.ts";
import type { RestartPolicy } from "./restart-policy.ts";
import { loadSecret } from "./secret.ts";
import { Supervisor } from "./supervisor.ts";
import { startVault, type VaultStarted } from "./vault/local-vault.ts";
import { probeEntry } from "./vault/probe.ts";
import { decideVaultCount, vaultNumbers } from "./vault/vault-count.ts";
import { isFormatted, vaultFilePath, vaultFolderPath } from "./vault/vault-folders.ts";
import { createView, type View } from "./view.ts";

export type { ChildDefinition } from "./child-part.ts";

export interface InstallationContext {
  projectDirectory: string;
  env: NodeJS.ProcessEnv;
  terminal: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** In the order in which they start; none of them needs a build. */
  children: ChildDefinition[];
  console: ChildDefinition;
  /** Writes to the vault and deletes again, so that the console has data to show. */
  demoLoad: ChildDefinition;
  /** Simulated nodes; its arguments are their number, the number of days, and the ingest's address. */
  fleet: ChildDefinition;
  /** Replaces the supervisor's policy in tests that kill parts many times. */
  restarts?: RestartPolicy;
}

type Outcome = "stopped" | { error: unknown };

const stopWithinMs = 9500;

/** One running Stashlight, started and stopped once. */
export class Installation {
  readonly #options: Options;
  readonly #context: InstallationContext;
  readonly #view: View;
  readonly #supervisor: Supervisor;
  readonly #partsFile: PartsFile;
  /** Builds and migrations in progress, each with the time to wait for it when stopping. */
  readonly #helpers = new Map<ChildProcess, number>();
  readonly #ended = Promise.withResolvers<Outcome>();
  readonly #stopRequest = new AbortController();
  #lock: Lock | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: Options, context: InstallationContext) {
    this.#options = options;
    this.#context = context;
    this.#view = createView(context.terminal, context.env, partLabels(options, context));
    const { dataDirectory } = options;
    const note = (line: string) => this.#view.note(line);
    this.#partsFile = createPartsFile(dataDirectory, (reason) =>
      note(`The state of the parts is not written, so the console and alerts do not know it: ${reason}`),
    );
    this.#supervisor = new Supervisor(
      (event) => describeEvent(event).forEach(note),
      context.restarts,
      () => this.#partsFile.write(this.#supervisor.parts()),
    );
  }

  /** Resolves when the installation has been stopped, or cannot continue and the caller has to stop the rest. */
  async run(): Promise<Outcome> {
    this.#start().catch((error) => this.#ended.resolve({ error }));
    const outcome = await this.#ended.promise;
    this.#view.settle();
    return this.#stopping ? "stopped" : outcome;
  }

  async #start(): Promise<void> {
    const { dataDirectory, publicUrl } = this.#options;
    createDataFolder(dataDirectory);
    const taken = takeLock(lockFilePath(dataDirectory), publicUrl);
    if ("holder" in taken) throw alreadyRunning(dataDirectory, taken.holder.pid, taken.holder.note);
    this.#lock = taken.lock;
    const services = this.#consoleServices(loadSecret(dataDirectory, this.#context.env.STASHLIGHT_SECRET));
    // The start of the services awaits and reports this failure.
    services.openDatabase().catch(() => {});
    const servicesReady = Promise.withResolvers<void>();
    const built = this.#build(servicesReady.resolve);
    // A failed build ends startup at once, even while other parts are starting.
    await Promise.all([built, servicesReady.promise.then(() => this.#startParts(services, built))]);
  }

  /** Starts everything that needs no build. The console and CPU-heavy parts wait for the build. */
  async #startParts(services: ConsoleServices, built: Promise<void>): Promise<void> {
    const opening = services.openConsole(built);
    // Awaited later, and only if everything before it succeeds.
    opening.catch(() => {});
    const starting = this.#startServices(services);
    const [trouble, vault] = await Promise.all([
      starting,
      Promise.race([services.migrated, starting]).then(() =>
        this.#startVault(services.current?.env ?? baseEnvironment(this.#context.env)),
      ),
    ]);
    await built;
    if (vault) await this.#startDemoLoad(vault);
    const { current } = services;
    if (current) await this.#startFleet(current.env);
    const console = current ? { ...current, isOpen: await opening } : { trouble };
    this.#view.settle();
    for (const line of announcementLines(this.#options, console, vault)) this.#view.say(line);
    if (current === undefined) await this.#announceLater(services, opening);
  }

  #consoleServices(secret: string): ConsoleServices {
    const { projectDirectory, env, children, console } = this.#context;
    return new ConsoleServices({
      options: this.#options,
      projectDirectory,
      env,
      secret,
      children,
      console,
      view: this.#view,
      supervisor: this.#supervisor,
      trackHelper: (child, patienceMs) => this.#trackHelper(child, patienceMs),
    });
  }

  /** Starts the services. If all vaults exist, they start even if the services fail, and the reason is returned. */
  async #startServices(services: ConsoleServices): Promise<string> {
    const { vault, dataDirectory, recoverEmail } = this.#options;
    const isVaultMade =
      vault !== undefined &&
      vaultNumbers(decideVaultCount(dataDirectory, vault.count)).every((number) =>
        isFormatted(vaultFolderPath(dataDirectory, number)),
      );
    // Waits for the services if a link was requested, because the link is the purpose of the command.
    if (isVaultMade && recoverEmail === undefined)
      return (await this.#supervisor.keep(services.part())) ?? "";
    await services.start();
    return "";
  }

  async #announceLater(services: ConsoleServices, opening: Promise<boolean>): Promise<void> {
    const { prepared, env } = await services.migrated;
    const console = { prepared, isOpen: await opening };
    for (const line of describeConsole(this.#options, console)) this.#view.say(line);
    await this.#startFleet(env);
  }

  /** Starts a process that the others do not depend on. */
  #keepChild(child: ChildDefinition, env: NodeJS.ProcessEnv): Promise<void> {
    const { projectDirectory } = this.#context;
    const part = childPart(child, { projectDirectory, dataDirectory: this.#options.dataDirectory, env });
    return this.#view.step(child.label, async () => describeStart(await this.#supervisor.keep(part)));
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
        keepPart: (part) => this.#supervisor.keep(part),
        stopping: this.#stopRequest.signal,
      });
      return started.detail;
    });
    return started;
  }

  async #startDemoLoad({ prepared }: VaultStarted): Promise<void> {
    const { vault, dataDirectory } = this.#options;
    if (!vault?.hasDemoLoad) return;
    await this.#keepChild(this.#context.demoLoad, {
      ...baseEnvironment(this.#context.env),
      ...demoEnvironment(prepared),
      STASHLIGHT_VAULT_FILE: vaultFilePath(dataDirectory),
    });
  }

  async #startFleet(env: NodeJS.ProcessEnv): Promise<void> {
    const { simulatedFleet, dataDirectory, host, ingestPort } = this.#options;
    const { fleet, projectDirectory } = this.#context;
    if (simulatedFleet === undefined) return;
    const { nodeCount, dayCount } = simulatedFleet;
    if (nodeCount > 0) {
      const args = [String(nodeCount), String(dayCount), `http://${host}:${ingestPort}`];
      await this.#keepChild({ ...fleet, args }, env);
      return;
    }
    await this.#view.step(fleet.label, async ({ show }) => {
      show("removing what it measured");
      try {
        const logFile = prepareLogFile(dataDirectory, fleet.name);
        return await forgetFleet({ env, workingDirectory: projectDirectory, logFile }, (child) =>
          this.#trackHelper(child, 0),
        );
      } catch (error) {
        return { failure: `not removed: ${(error as Error).message}` };
      }
    });
  }

  #build(onServicesReady: () => void): Promise<void> {
    const { projectDirectory, children, console, demoLoad } = this.#context;
    const agents = [agentEntry, probeEntry].map((entry) => join(projectDirectory, entry));
    const entries = [...children, console, demoLoad].map(({ entry }) => entry).concat(agents);
    const logFile = prepareLogFile(this.#options.dataDirectory, "build");
    const onSpawn = (child: ChildProcess) => this.#trackHelper(child, 0);
    return this.#view.step("Program", ({ show }) =>
      buildIfNeeded({ projectDirectory, logFile, show, entries, onSpawn, onServicesReady }),
    );
  }

  #trackHelper(child: ChildProcess, patienceMs: number): void {
    this.#helpers.set(child, patienceMs);
    child.once("exit", () => this.#helpers.delete(child));
    if (this.#stopping) killGroup(child);
  }

  /** Ends every process in order, and kills those that have not ended within 9.5 s. */
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
    this.#partsFile.remove();
    this.#lock?.release();
    this.#ended.resolve("stopped");
  }

  kill(): void {
    for (const helper of this.#helpers.keys()) killGroup(helper);
    this.#supervisor.kill();
    this.#lock?.release();
  }
}

function partLabels(
  { vault, simulatedFleet }: Options,
  { children, console, demoLoad, fleet }: InstallationContext,
): string[] {
  const labels = ["Program", "Database", "Migrations", ...[...children, console].map(({ label }) => label)];
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
