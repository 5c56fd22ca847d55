/**
 * Runs the oldest queued simulation, or one whose worker was lost, to its end. The row is claimed with a lease that
 * every heartbeat renews together with the progress, so a worker that lost its lease cannot change the row.
 *
 *     queued -- claimed --> running -- the thread is done -------------> succeeded
 *       |          ^           |-- a person cancelled ------------------> cancelled
 *       |          '-- lease --|-- the worker stops: queued again
 *       |            is over   '-- the thread fails, or three attempts -> failed
 *       '-- cancelled ----------------------------------------------------> cancelled
 */
import { setTimeout as delay } from "node:timers/promises";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Scenario, SimulationProgress } from "@stashlight/contracts/planner";
import type { Prisma } from "@stashlight/db";
import { simulationRunColumns } from "@stashlight/db/columns/simulation";
import type { ScenarioProgress } from "@stashlight/timing-simulation";
import type { Core } from "../core.ts";
import { isDatabaseUnavailable } from "../database-error.ts";
import { keepRenewed } from "../lease/keep-renewed.ts";
import {
  claimDue,
  type DueRows,
  isAnyDue,
  LeaseLostError,
  leaseMoment,
  lockDue,
  releaseLease,
  renewLease,
} from "../lease/lease.ts";
import { productVersion } from "../process/version.ts";
import { statementsIn } from "../statements-in.ts";
import { leasedSimulations } from "./leased.ts";
import { toScenarioOptions } from "./options.ts";
import type { Simulator, SimulatorRun } from "./runner.ts";

const LEASE_MS = 30_000;
const ATTEMPTS_MAX = 3;
/** Below this share an estimate of the time left would be a guess. */
const SHARE_TO_JUDGE_BY = 0.02;

export interface RunNextOptions {
  /** Unique among workers. */
  readonly claimant: string;
  readonly simulator: Simulator;
  readonly beatMs: number;
  /** Aborted when the process stops: the simulation is queued again. */
  readonly stopping: AbortSignal;
}

interface Claim {
  readonly id: string;
  readonly attempts: number;
  readonly scenario: Scenario;
  readonly startedAtMs: number;
}

/** Returns true if there was a simulation to run. */
export async function runNextSimulation(platform: Core, options: RunNextOptions): Promise<boolean> {
  const { db } = platform;
  if (!(await isAnyDue(statementsIn(db), leasedSimulations, nextDue, leaseMoment(platform)))) return false;
  await giveUpLost(platform);
  const claim = await claimNext(platform, options);
  if (claim === null) return false;
  await new SimulationUnderWay(platform, claim, options).run();
  return true;
}

async function giveUpLost(platform: Core): Promise<void> {
  await platform.db.$transaction(async (tx) => {
    const tooOften: DueRows = {
      where: ({ expired, value }) => `${expired()} AND r.attempts >= ${value(ATTEMPTS_MAX, "integer")}`,
      orderBy: "r.id",
    };
    for (const key of await lockDue(statementsIn(tx), leasedSimulations, tooOften, leaseMoment(platform))) {
      await releaseLease(statementsIn(tx), leasedSimulations, key);
      const outcome = `The worker that ran it was lost ${ATTEMPTS_MAX} times.`;
      await tx.simulationRun.update({
        where: key,
        data: { state: "failed", outcome, finishedAt: platform.now() },
      });
    }
  });
}

const nextDue: DueRows = {
  where: ({ expired }) => `(r.state = 'queued' OR ${expired()})`,
  orderBy: "r.created_at, r.id",
  countMax: 1,
};

async function claimNext(platform: Core, { claimant }: RunNextOptions): Promise<Claim | null> {
  return platform.db.$transaction(async (tx) => {
    const at = platform.now();
    const claim = { due: nextDue, claimant, leaseMs: LEASE_MS };
    const [taken] = await claimDue(statementsIn(tx), leasedSimulations, claim, leaseMoment(platform));
    if (taken === undefined) return null;
    const { id, attempts } = taken;
    const { scenario } = await tx.simulationRun.update({
      where: { id },
      data: {
        startedAt: at,
        progress: simulationRunColumns.progress.write({ share: 0, secondsLeft: null, eventCount: 0 }),
      },
    });
    return {
      id,
      attempts,
      scenario: simulationRunColumns.scenario.read(scenario, id),
      startedAtMs: at.getTime(),
    };
  });
}

type Ending =
  | { readonly state: "succeeded"; readonly run: SimulatorRun }
  | { readonly state: "cancelled" | "failed"; readonly outcome: string }
  | { readonly state: "queued" };

class SimulationUnderWay {
  readonly #platform: Core;
  readonly #claim: Claim;
  readonly #options: RunNextOptions;
  readonly #ending = new AbortController();
  readonly #isOver = new AbortController();
  #progress: SimulationProgress = { share: 0, secondsLeft: null, eventCount: 0 };
  #cancelledBy: string | null = null;
  #isLost = false;

  constructor(platform: Core, claim: Claim, options: RunNextOptions) {
    this.#platform = platform;
    this.#claim = claim;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { stopping } = this.#options;
    const stop = () => this.#ending.abort();
    stopping.addEventListener("abort", stop, { once: true });
    if (stopping.aborted) stop();
    const beats = this.#beat();
    const ending = await this.#simulate();
    stopping.removeEventListener("abort", stop);
    this.#isOver.abort();
    await beats;
    if (!this.#isLost) await this.#close(ending);
  }

  async #simulate(): Promise<Ending> {
    try {
      const run = await this.#options.simulator.run(toScenarioOptions(this.#claim.scenario), {
        onProgress: (progress) => this.#note(progress),
        signal: this.#ending.signal,
      });
      return { state: "succeeded", run };
    } catch (error) {
      if (this.#cancelledBy !== null)
        return { state: "cancelled", outcome: `Cancelled by ${this.#cancelledBy}.` };
      if (this.#ending.signal.aborted) return { state: "queued" };
      const reason =
        error instanceof StashlightError || error instanceof Error ? error.message : String(error);
      return { state: "failed", outcome: `The simulation failed: ${reason}` };
    }
  }

  #note({ share, eventCount }: ScenarioProgress): void {
    const passedSeconds = (this.#platform.now().getTime() - this.#claim.startedAtMs) / 1000;
    const secondsLeft = share < SHARE_TO_JUDGE_BY ? null : (passedSeconds * (1 - share)) / share;
    this.#progress = { share, secondsLeft, eventCount };
  }

  #beat(): Promise<void> {
    const onLost = () => {
      this.#isLost = true;
      this.#ending.abort();
    };
    const onError = (error: unknown) => {
      // Retries while the database is unavailable; the lease outlasts short outages.
      if (!isDatabaseUnavailable(error)) throw error;
    };
    const renew = () => this.#noteProgress();
    return keepRenewed({ beatMs: this.#options.beatMs, renew, onLost, onError }, this.#isOver.signal);
  }

  async #noteProgress(): Promise<void> {
    const progress = simulationRunColumns.progress.write(this.#progress);
    const { cancelledBy } = await this.#write({ progress });
    if (cancelledBy === null) return;
    this.#cancelledBy = cancelledBy;
    this.#ending.abort();
  }

  /** Changes the row while this worker holds it; throws a LeaseLostError otherwise. */
  async #write(
    data: Prisma.SimulationRunUpdateInput,
    isOver = false,
  ): Promise<{ cancelledBy: string | null }> {
    const { id, attempts: attempt } = this.#claim;
    const holder = { claimant: this.#options.claimant, attempt, leaseMs: LEASE_MS };
    return this.#platform.db.$transaction(async (tx) => {
      const leases = statementsIn(tx);
      const renewed = await renewLease(
        leases,
        leasedSimulations,
        { id },
        holder,
        leaseMoment(this.#platform),
      );
      if (isOver) await releaseLease(leases, leasedSimulations, { id });
      await tx.simulationRun.update({ where: { id }, data });
      return renewed;
    });
  }

  async #close(ending: Ending): Promise<void> {
    for (;;) {
      try {
        await this.#write(this.#endingOf(ending), true);
        return;
      } catch (error) {
        if (error instanceof LeaseLostError) return;
        if (!isDatabaseUnavailable(error) || this.#options.stopping.aborted) throw error;
        await delay(this.#options.beatMs);
      }
    }
  }

  #endingOf(ending: Ending): Prisma.SimulationRunUpdateInput {
    if (ending.state === "queued") return { state: "queued", attempts: this.#claim.attempts - 1 };
    const over = { state: ending.state, finishedAt: this.#platform.now() };
    if (ending.state !== "succeeded") return { ...over, outcome: ending.outcome };
    const result = simulationRunColumns.result.write(ending.run.result);
    const { processorSeconds } = ending.run;
    return { ...over, result, processorSeconds, version: productVersion, outcome: null };
  }
}
