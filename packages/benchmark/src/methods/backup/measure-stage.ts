/** Times a stage: every machine works over its own connections at the same time, and its operations are counted. */
import type { BenchmarkStage, StageMachine } from "@stashlight/contracts/sample";
import { HOUR_SECONDS } from "@stashlight/contracts/time";
import type { TimedOperation } from "../../run/operations.ts";
import type { Session } from "../../run/session.ts";
import type { StoredObject } from "../../run/stored-objects.ts";
import { runOperations, runTogether } from "../legs.ts";
import type { BackupParameters } from "./parameters.ts";
import type { PlannedStage } from "./stages.ts";

export type MachineOperation = Omit<TimedOperation, "connection">;

/** Operations available to a machine in its stage. */
export interface Hands {
  /**
   * Runs operations one after another over all connections of the machine; the callback gets the object, or null after
   * a failure.
   */
  perform(
    operations: Iterable<MachineOperation>,
    onDone: (operation: MachineOperation, object: StoredObject | null) => void,
  ): Promise<void>;
  /** Counts a block that cannot be requested because it was never uploaded; the name is that of its key. */
  miss(keyName: string): void;
}

export interface MachineWork {
  /** From 0. */
  readonly machine: number;
  readonly dataBytes: number;
  readonly run: (hands: Hands) => Promise<void>;
}

/** Measures a stage and records it in the session, which keeps it even if the run fails later. */
export async function measureStage(
  session: Session,
  parameters: BackupParameters,
  stage: PlannedStage,
  works: readonly MachineWork[],
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const measured = await runTogether(
    works,
    async ({ machine, dataBytes, run }, anySignal) => {
      const tally = new Tally(machine + 1);
      await run(createWriters(session, parameters, machine, tally, anySignal));
      return { machine: machine + 1, dataBytes, tally, durationMs: performance.now() - startedAt };
    },
    signal,
  );
  const durationMs = performance.now() - startedAt;
  const tallies = measured.map(({ tally }) => tally);
  const machines = measured.map(
    ({ tally, ...machine }): StageMachine => ({ ...machine, ...tally.bytes, failedCount: tally.failedCount }),
  );
  const sum = (of: (machine: StageMachine) => number) =>
    machines.reduce((total, machine) => total + of(machine), 0);
  const dataBytes = sum((machine) => machine.dataBytes);
  const { protectedBytes, windowHours } = parameters;
  session.stages.push({
    name: stage.name,
    title: stage.title,
    legs: stage.legs.map((_, index) => stage.firstLeg + index),
    durationMs,
    dataBytes,
    uploadedBytes: sum((machine) => machine.uploadedBytes),
    downloadedBytes: sum((machine) => machine.downloadedBytes),
    requests: sumRequests(tallies),
    failedCount: sum((machine) => machine.failedCount),
    failure: describeFailures(tallies),
    machines,
    extrapolation: {
      protectedBytes,
      seconds: ((durationMs / 1000) * protectedBytes) / dataBytes,
      windowSeconds: windowHours * HOUR_SECONDS,
    },
  });
}

function createWriters(
  session: Session,
  { connectionCount }: BackupParameters,
  machine: number,
  tally: Tally,
  signal: AbortSignal,
): Hands {
  return {
    perform: (operations, onDone) =>
      runOperations(
        session,
        {
          operations,
          connectionCount,
          firstConnection: machine * connectionCount,
          pauseMs: 0,
          ratePerSecond: null,
          onDone: (operation, object) => {
            tally.count(operation, object);
            onDone(operation, object);
          },
        },
        signal,
      ),
    miss: (keyName) => tally.fail("missing", keyName),
  };
}

type Failure = "PUT" | "GET" | "DELETE" | "HEAD" | "missing";

/** Length of a hash prefix that suffices to find the key. */
const SHOWN_NAME_LENGTH = 12;

class Tally {
  readonly #machine: number;
  readonly requests = { put: 0, get: 0, delete: 0 };
  readonly bytes = { uploadedBytes: 0, downloadedBytes: 0 };
  readonly failures: { readonly failure: Failure; readonly name: string }[] = [];

  constructor(machine: number) {
    this.#machine = machine;
  }

  get failedCount(): number {
    return this.failures.length;
  }

  count(operation: MachineOperation, object: StoredObject | null): void {
    if (operation.operation === "PUT") this.requests.put += 1;
    if (operation.operation === "GET") this.requests.get += 1;
    if (operation.operation === "DELETE") this.requests.delete += 1;
    if (object === null) this.fail(operation.operation, operationKeyName(operation));
    else if (operation.operation === "PUT") this.bytes.uploadedBytes += object.sizeBytes;
    else if (operation.operation === "GET") this.bytes.downloadedBytes += object.sizeBytes;
  }

  fail(failure: Failure, keyName: string): void {
    const name = `${keyName.slice(0, SHOWN_NAME_LENGTH)} of machine ${this.#machine}`;
    this.failures.push({ failure, name });
  }
}

function operationKeyName({ object, keyName = "" }: MachineOperation): string {
  return object === undefined ? keyName : object.key.slice(object.key.lastIndexOf("/") + 1);
}

function sumRequests(tallies: readonly Tally[]): BenchmarkStage["requests"] {
  const sum = (kind: keyof BenchmarkStage["requests"]) =>
    tallies.reduce((total, { requests }) => total + requests[kind], 0);
  return { put: sum("put"), get: sum("get"), delete: sum("delete") };
}

const failureWords: Record<Failure, (count: number) => string> = {
  PUT: (count) => (count === 1 ? "1 upload failed" : `${count} uploads failed`),
  GET: (count) =>
    count === 1
      ? "1 download failed or returned different bytes"
      : `${count} downloads failed or returned different bytes`,
  DELETE: (count) => (count === 1 ? "1 deletion failed" : `${count} deletions failed`),
  HEAD: (count) => (count === 1 ? "1 existence check failed" : `${count} existence checks failed`),
  missing: (count) =>
    count === 1
      ? "1 block was missing, because its upload had failed"
      : `${count} blocks were missing, because their uploads had failed`,
};

function describeFailures(tallies: readonly Tally[]): string | null {
  const failures = tallies.flatMap((tally) => tally.failures);
  const [first] = failures;
  if (first === undefined) return null;
  const kinds = [...new Set(failures.map(({ failure }) => failure))];
  const words = kinds.map((kind) =>
    failureWords[kind](failures.filter(({ failure }) => failure === kind).length),
  );
  return `${words.join(", ")} (${failures.length === 1 ? "" : "the first: "}${first.name})`;
}
