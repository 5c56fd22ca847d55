import { coordinatorMutants } from "./coordinator.ts";
import type { Mutant } from "./mutant.ts";
import { podMutants } from "./pod.ts";
import { stashMutants } from "./stash.ts";

export const mutants: readonly Mutant[] = [...coordinatorMutants, ...podMutants, ...stashMutants];
