/** What a slot needs of whoever measures: the sampler's process on this machine, or a stand-in in tests. */
import {
  type CleanUpInput,
  cleanUp,
  type RunEnd,
  type SamplerJobInput,
  type SamplerOptions,
  startSampler,
} from "@stashlight/benchmark";

export interface Runner {
  /** Resolves also when it failed or was cancelled. */
  run(job: SamplerJobInput, options: SamplerOptions): Promise<RunEnd>;
  /** Deletes everything below a run's prefix, versions too. Rejects with what hinders it. */
  cleanUp(input: CleanUpInput): Promise<unknown>;
}

/** Measures in a process of its own on this machine. */
export const localRunner: Runner = { run: startSampler, cleanUp };
