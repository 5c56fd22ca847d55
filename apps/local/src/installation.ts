import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { buildIfNeeded } from "./build.ts";
import {
  type DatabaseAddress,
  embeddedDatabase,
  externalDatabase,
  prepareDatabase,
  prepareDatabaseProcess,
} from "./database.ts";
import { Failure } from "./failure.ts";
import { type Lock, takeLock } from "./lock.ts";
import { prepareLogFile } from "./log-files.ts";
import { killGroup, startNode } from "./node-process.ts";
import type { Options } from "./options.ts";
import { alreadyRunning, createDataFolder, lockFileOf } from "./preflight.ts";
import type { DatabasePrepared } from "./prepare-database.ts";
import { loadSecret } from "./secret.ts";
import { type Part, Supervisor, type SupervisorEvent } from "./supervisor.ts";
import { createView, type View } from "./view.ts";

export interface ChildDefinition {
  name: string;
  label: string;
  entry: string;
  nodeFlags?: string[];
}

export interface InstallationContext {
  projectDirectory: string;
  env: NodeJS.ProcessEnv;
  terminal: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** In the order they are started. */
  children: ChildDefinition[];
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
  #lock: Lock | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: Options, context: InstallationContext) {
    this.#options = options;
    this.#context = context;
    const labels = ["Program", "Database", "Migrations", ...context.children.map(({ label }) => label)];
    this.#view = createView(context.terminal, context.env, labels);
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
    const env = this.#childEnvironment(database, secret);
    const { setup, recovery } = await this.#migrate(database, env);
    for (const child of this.#context.children) {
      await this.#view.step(child.label, async () => {
        await this.#supervisor.start(this.#childPart(child, env));
        return "ready";
      });
    }
    this.#announce(setup, recovery);
  }

  #build(): Promise<void> {
    const { projectDirectory, children } = this.#context;
    const entries = children.map(({ entry }) => entry);
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
        },
      };
      prepared = await prepareDatabase(definition, (child) => this.#trackHelper(child, migrationPatienceMs));
      return prepared.appliedCount === 0 ? "up to date" : `${prepared.appliedCount} applied`;
    });
    if (!prepared) throw new Failure("The database was not prepared.");
    return prepared;
  }

  #childPart({ name, label, entry, nodeFlags }: ChildDefinition, env: NodeJS.ProcessEnv): Part {
    return {
      label,
      stopPatienceMs: childPatienceMs,
      start: (onSpawn) =>
        startNode(
          {
            label: `The ${name}`,
            entry,
            nodeFlags: nodeFlags ?? [],
            env,
            workingDirectory: this.#context.projectDirectory,
            logFile: prepareLogFile(this.#options.dataDirectory, name),
          },
          onSpawn,
        ),
    };
  }

  /** The person's own environment (single sign-on, proxies, time zone), without what npm and the caller add to it. */
  #childEnvironment(database: DatabaseAddress, secret: string): NodeJS.ProcessEnv {
    const inherited = Object.entries(this.#context.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name));
    return {
      // The C library's allocator would keep a pool for each thread, which costs more than the threads would wait.
      MALLOC_ARENA_MAX: "2",
      ...Object.fromEntries(inherited),
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: database.runtimeUrl,
      STASHLIGHT_SECRET: secret,
      STASHLIGHT_PUBLIC_URL: this.#options.publicUrl,
      STASHLIGHT_HOST: this.#options.host,
      STASHLIGHT_PORT: String(this.#options.port),
      STASHLIGHT_DATA_DIR: this.#options.dataDirectory,
    };
  }

  #announce(setup: DatabasePrepared["setup"], recovery: DatabasePrepared["recovery"]): void {
    this.#view.settle();
    this.#view.say(`Stashlight is running at ${this.#options.publicUrl}`);
    if (setup) {
      const expires = clockTime(new Date(setup.expiresAt));
      this.#view.say(`Make the administrator with this link, which works once and until ${expires}:`);
      this.#view.say(`  ${setup.url}`);
    }
    if (recovery) {
      this.#view.say(
        `${this.#options.recoverEmail} sets a new password with this link, once and within a day:`,
      );
      this.#view.say(`  ${recovery.url}`);
    }
    const { host, publicUrl } = this.#options;
    if (!isLoopback(host) && isLoopback(new URL(publicUrl).hostname)) {
      this.#view.say(`Links name ${publicUrl}, which other machines cannot open; start with --public-url.`);
    }
    this.#view.say("Press Ctrl-C to stop.");
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

async function endHelper(child: ChildProcess, patienceMs: number): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (patienceMs > 0) await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
  killGroup(child);
  await ended;
}

/** Written by hand: asking Node for a local format loads 16 MB of locale data for good. */
function clockTime(time: Date): string {
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}
