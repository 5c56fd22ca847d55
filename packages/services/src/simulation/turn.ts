/**
 * A worker's turn: the oldest simulation that waits, or one whose worker is gone, run to its end. The row is claimed with
 * a lease that every beat renews together with the progress, so what a process says that was given up changes nothing.
 *
 *     queued -- claimed --> running -- the thread is done -------------> succeeded
 *       |          ^           |-- a person cancelled ------------------> cancelled
 *       |          '-- lease --|-- the worker stops: queued again
 *       |            is over   '-- the thread fails, or three attempts -> failed
 *       '-- cancelled ----------------------------------------------------> cancelled
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Scenario, type SimulationProgress, StashlightError } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import type { ScenarioProgress } from "@stashlight/simulation/scenario";
import { isDatabaseUnavailable } from "../database-error.ts";
import { productVersion } from "../health/version.ts";
import type { Platform } from "../platform.ts";
import { toScenarioOptions } from "./options.ts";
import type { Simulator, SimulatorRun } from "./runner.ts";

const LEASE_MS = 30_000;
const ATTEMPTS_MAX = 3;
/** Before that an estimate of the time left is a guess. */
const SHARE_TO_JUDGE_BY = 0.02;

export interface SimulationTurn {
  /** Unique among workers. */
  readonly claimant: string;
  readonly simulator: Simulator;
  readonly beatMs: number;
  /** Aborted when the process is to end: the simulation waits again. */
  readonly stopping: AbortSignal;
}

interface Claim {
  readonly id: string;
  readonly attempts: number;
  readonly scenario: Scenario;
  readonly startedAtMs: number;
}

/** Returns whether there was one. */
export async function simulationTurn(platform: Platform, turn: SimulationTurn): Promise<boolean> {
  await giveUpLost(platform);
  const claim = await claimNext(platform, turn);
  if (claim === null) return false;
  await new SimulationUnderWay(platform, claim, turn).run();
  return true;
}

async function giveUpLost({ db, now }: Platform): Promise<void> {
  await db.simulationRun.updateMany({
    where: { state: "running", leaseUntil: { lt: now() }, attempts: { gte: ATTEMPTS_MAX } },
    data: {
      state: "failed",
      outcome: `The worker that ran it was lost ${ATTEMPTS_MAX} times.`,
      finishedAt: now(),
      leaseUntil: null,
    },
  });
}

async function claimNext({ db, now }: Platform, { claimant }: SimulationTurn): Promise<Claim | null> {
  return db.$transaction(async (tx) => {
    const at = now();
    const [due] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM simulation_run
       WHERE state = 'queued' OR (state = 'running' AND lease_until < ${at})
       ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (due === undefined) return null;
    const { id, attempts, scenario } = await tx.simulationRun.update({
      where: { id: due.id },
      data: {
        state: "running",
        attempts: { increment: 1 },
        claimedBy: claimant,
        leaseUntil: new Date(at.getTime() + LEASE_MS),
        startedAt: at,
        progress: { share: 0, secondsLeft: null, eventCount: 0 },
      },
    });
    return { id, attempts, scenario: scenario as unknown as Scenario, startedAtMs: at.getTime() };
  });
}

type Ending =
  | { readonly state: "succeeded"; readonly run: SimulatorRun }
  | { readonly state: "cancelled" | "failed"; readonly outcome: string }
  | { readonly state: "queued" };

class SimulationUnderWay {
  readonly #platform: Platform;
  readonly #claim: Claim;
  readonly #turn: SimulationTurn;
  readonly #ending = new AbortController();
  readonly #isOver = new AbortController();
  #progress: SimulationProgress = { share: 0, secondsLeft: null, eventCount: 0 };
  #cancelledBy: string | null = null;
  #isLost = false;

  constructor(platform: Platform, claim: Claim, turn: SimulationTurn) {
    this.#platform = platform;
    this.#claim = claim;
    this.#turn = turn;
  }

  async run(): Promise<void> {
    const { stopping } = this.#turn;
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
      const run = await this.#turn.simulator.run(toScenarioOptions(this.#claim.scenario), {
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

  get #where() {
    const { id, attempts } = this.#claim;
    return { id, attempts, state: "running", claimedBy: this.#turn.claimant };
  }

  async #beat(): Promise<void> {
    while (!this.#isOver.signal.aborted) {
      try {
        await delay(this.#turn.beatMs, undefined, { signal: this.#isOver.signal });
        await this.#renew();
      } catch (error) {
        if (this.#isOver.signal.aborted) return;
        // A database that is away is asked again; the lease outlives that for a while.
        if (!isDatabaseUnavailable(error)) throw error;
      }
    }
  }

  async #renew(): Promise<void> {
    const { db, now } = this.#platform;
    const [row] = await db.simulationRun.updateManyAndReturn({
      where: this.#where,
      data: {
        leaseUntil: new Date(now().getTime() + LEASE_MS),
        progress: this.#progress as unknown as Prisma.InputJsonObject,
      },
      select: { cancelRequestedAt: true, cancelRequestedByName: true },
    });
    if (row === undefined) {
      this.#isLost = true;
      this.#ending.abort();
    } else if (row.cancelRequestedAt !== null) {
      this.#cancelledBy = row.cancelRequestedByName ?? "somebody";
      this.#ending.abort();
    }
  }

  async #close(ending: Ending): Promise<void> {
    for (;;) {
      try {
        await this.#writeEnding(ending);
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || this.#turn.stopping.aborted) throw error;
        await delay(this.#turn.beatMs);
      }
    }
  }

  async #writeEnding(ending: Ending): Promise<void> {
    const { db, now } = this.#platform;
    const over = { state: ending.state, leaseUntil: null, finishedAt: now() };
    if (ending.state === "queued") {
      const data = { state: "queued", leaseUntil: null, attempts: this.#claim.attempts - 1 };
      await db.simulationRun.updateMany({ where: this.#where, data });
    } else if (ending.state === "succeeded") {
      const result = JSON.parse(JSON.stringify(ending.run.result)) as Prisma.InputJsonObject;
      const { processorSeconds } = ending.run;
      const data = { ...over, result, processorSeconds, version: productVersion, outcome: null };
      await db.simulationRun.updateMany({ where: this.#where, data });
    } else {
      await db.simulationRun.updateMany({ where: this.#where, data: { ...over, outcome: ending.outcome } });
    }
  }
}
