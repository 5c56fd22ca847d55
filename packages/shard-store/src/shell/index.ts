export { podAnswers, stashAnswers } from "./answers-to-events.ts";
export * from "./carry-out.ts";
export { MachineShell, type ShellWatch, type Surroundings } from "./machine-shell.ts";
export {
  type CoordinatorShell,
  createCoordinatorShell,
  createPodShell,
  createStashShell,
  type PodShell,
  type StashShell,
} from "./shells.ts";
