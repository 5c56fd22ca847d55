/**
 * Database, migrations, worker, ingest and console: everything except the vault, which runs without them. Only a first
 * start needs them, because the nodes of a new vault enrol in the database.
 */
import type { ChildProcess } from "node:child_process";
import { type ChildDefinition, childPart } from "./child-part.ts";
import {
  type DatabaseAddress,
  embeddedDatabase,
  externalDatabase,
  prepareDatabase,
  prepareDatabaseProcess,
} from "./database.ts";
import { childEnvironment } from "./environment.ts";
import { Failure } from "./failure.ts";
import { logFilePath } from "./log-files.ts";
import type { Running } from "./node-process.ts";
import type { Options } from "./options.ts";
import type { DatabasePrepared } from "./prepare-database.ts";
import type { Part, Supervisor } from "./supervisor.ts";
import type { StepResult, View } from "./view.ts";

export interface ConsoleServicesContext {
  options: Options;
  projectDirectory: string;
  env: NodeJS.ProcessEnv;
  secret: string;
  /** Parts that need no build. */
  children: readonly ChildDefinition[];
  console: ChildDefinition;
  view: View;
  supervisor: Supervisor;
  /** Called with the migrating process, and with the time to wait for it when stopping. */
  trackHelper(child: ChildProcess, patienceMs: number): void;
}

export interface MigratedDatabase {
  prepared: DatabasePrepared;
  /** Environment of processes that use the database. */
  env: NodeJS.ProcessEnv;
}

/** Waits for a migration, which takes a second or two, because an interrupted one has to be repaired by hand. */
const migrationPatienceMs = 5000;

/** Stands in for processes that are already parts. */
const nothingRunning: Running = {
  pid: 0,
  exited: new Promise(() => {}),
  stop: async () => {},
  kill: () => {},
};

export class ConsoleServices {
  readonly #context: ConsoleServicesContext;
  readonly #migrated = Promise.withResolvers<MigratedDatabase>();
  #opening: Promise<DatabaseAddress> | undefined;
  #current: MigratedDatabase | undefined;

  constructor(context: ConsoleServicesContext) {
    this.#context = context;
  }

  /** Undefined until the database is migrated. */
  get current(): MigratedDatabase | undefined {
    return this.#current;
  }

  /** Resolves when everything that uses the database can start. */
  get migrated(): Promise<MigratedDatabase> {
    return this.#migrated.promise;
  }

  /** Starts everything except the console's own process; continues where a failed attempt ended. */
  async start(): Promise<void> {
    const { options, env: own, secret, children } = this.#context;
    const database = await this.openDatabase();
    const env = childEnvironment(options, own, database, secret);
    this.#current = { prepared: await this.#migrate(database, env), env };
    this.#migrated.resolve(this.#current);
    await Promise.all(children.map((child) => this.#keepChild(child, env)));
  }

  /** Resolves when the database is migrated and the console is built; false if the first start has failed. */
  async openConsole(built: Promise<unknown>): Promise<boolean> {
    const { env } = await this.migrated;
    await built;
    return (await this.#keepChild(this.#context.console, env)) === undefined;
  }

  /** The services as one part, so that the vault runs even if the console fails. */
  part(): Part {
    return {
      label: "Console side",
      stopPatienceMs: 0,
      consequence: "There is no console, and nothing is measured or alerted.",
      logFile: logFilePath(this.#context.options.dataDirectory, "migrations"),
      start: async () => {
        await this.start();
        return nothingRunning;
      },
    };
  }

  openDatabase(): Promise<DatabaseAddress> {
    this.#opening ??= this.#openDatabase().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openDatabase(): Promise<DatabaseAddress> {
    const { view, supervisor } = this.#context;
    const { databaseUrl, runtimeDatabaseUrl, dataDirectory } = this.#context.options;
    let address: DatabaseAddress | undefined;
    await view.step("Database", async ({ show }) => {
      if (databaseUrl !== undefined) {
        address = externalDatabase(databaseUrl, runtimeDatabaseUrl ?? databaseUrl);
      } else {
        const log = (line: string) => (address ? view.say(line) : show(line));
        await supervisor.start(
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
    const { options, projectDirectory, view, trackHelper } = this.#context;
    let prepared: DatabasePrepared | undefined;
    await view.step("Migrations", async () => {
      const definition = {
        ...prepareDatabaseProcess(options.dataDirectory),
        workingDirectory: projectDirectory,
        env: {
          ...env,
          STASHLIGHT_OWNER_DATABASE_URL: database.ownerUrl,
          STASHLIGHT_RECOVER_EMAIL: options.recoverEmail,
          STASHLIGHT_ACCEPT_NEW_SECRET: options.isNewSecretAccepted ? "yes" : undefined,
          STASHLIGHT_STORAGE_PROFILE: options.storageProfile,
        },
      };
      prepared = await prepareDatabase(definition, (child) => trackHelper(child, migrationPatienceMs));
      return prepared.appliedCount === 0 ? "up to date" : `${prepared.appliedCount} applied`;
    });
    if (!prepared) throw new Failure("The database was not prepared.");
    return prepared;
  }

  /** Returns the reason that the child's first start failed; undefined if it succeeded. */
  async #keepChild(child: ChildDefinition, env: NodeJS.ProcessEnv): Promise<string | undefined> {
    const { projectDirectory, options, view, supervisor } = this.#context;
    const part = childPart(child, { projectDirectory, dataDirectory: options.dataDirectory, env });
    let reason: string | undefined;
    await view.step(child.label, async () => {
      reason = await supervisor.keep(part);
      return describeStart(reason);
    });
    return reason;
  }
}

/** Result of the step that starts a part, given the reason that its first start failed. */
export const describeStart = (reason: string | undefined): StepResult =>
  reason === undefined ? "ready" : { failure: `not running yet, its start is retried: ${reason}` };
