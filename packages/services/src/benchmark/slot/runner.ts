/** Interface between a slot and the measuring process: the sampler on this machine, or a substitute in tests. */
import {
  type AwaitedEndpoint,
  type CleanUpInput,
  cleanUp,
  type RunEnd,
  type SamplerJobInput,
  type SamplerOptions,
  startSampler,
  waitForAnswer,
} from "@stashlight/benchmark";

export interface Runner {
  /** Resolves once the store answers; with false if the signal ends the wait first. */
  waitForAnswer(endpoint: AwaitedEndpoint): Promise<boolean>;
  /** Resolves even if it failed or was cancelled. */
  run(job: SamplerJobInput, options: SamplerOptions): Promise<RunEnd>;
  /** Deletes everything below a run's prefix, including versions. Rejects with the reason if it cannot. */
  cleanUp(input: CleanUpInput): Promise<unknown>;
}

/** Measures in a separate process on this machine. */
export const localRunner: Runner = { waitForAnswer, run: startSampler, cleanUp };
