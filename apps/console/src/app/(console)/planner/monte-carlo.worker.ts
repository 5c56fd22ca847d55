/** Simulates ten thousand plans outside the page's thread, so that typing stays responsive. */
import {
  type MonteCarloAnswer,
  runMonteCarlo,
  type StashPlanInput,
  type UncertainRange,
} from "@stashlight/planner";

export interface UncertaintyQuestion {
  readonly id: number;
  readonly input: StashPlanInput;
  readonly ranges: readonly UncertainRange[];
  readonly seed: number;
}

export interface UncertaintyAnswer {
  readonly id: number;
  readonly answer: MonteCarloAnswer;
  readonly milliseconds: number;
}

addEventListener("message", ({ data }: MessageEvent<UncertaintyQuestion>) => {
  const { id, input, ranges, seed } = data;
  const startedAtMs = performance.now();
  const answer = runMonteCarlo({ input, ranges, seed });
  postMessage({ id, answer, milliseconds: performance.now() - startedAtMs } satisfies UncertaintyAnswer);
});
