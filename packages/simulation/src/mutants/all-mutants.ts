import { coordinatorMutants } from "./coordinator.ts";
import { driveAnswerMutants } from "./drive-answers.ts";
import { entryIndexMutants } from "./entry-index.ts";
import type { Mutant } from "./mutant.ts";
import { pageMutants } from "./pages.ts";
import { podMutants } from "./pod.ts";
import { savedIndexMutants } from "./saved-index.ts";
import { shellMutants } from "./shell.ts";
import { spaceMutants } from "./space-mutants.ts";
import { stashMutants } from "./stash.ts";

export const mutants: readonly Mutant[] = [
  ...coordinatorMutants,
  ...podMutants,
  ...entryIndexMutants,
  ...pageMutants,
  ...savedIndexMutants,
  ...driveAnswerMutants,
  ...stashMutants,
  ...spaceMutants,
  ...shellMutants,
];
