/** What somebody does in the first hour of an installation; each step is found to be done, nobody ticks it. */
import { z } from "zod";
import type { Role } from "./roles.ts";

export const firstStepNames = [
  "vault",
  "upload",
  "endpoint",
  "benchmark",
  "channel",
  "colleague",
  "plan",
] as const;
export type FirstStepName = (typeof firstStepNames)[number];

/** The role that can take a step; the list leaves out what the reader cannot do. */
export const roleOfFirstStep: Record<FirstStepName, Role> = {
  vault: "admin",
  upload: "operator",
  endpoint: "admin",
  benchmark: "operator",
  channel: "admin",
  colleague: "admin",
  plan: "operator",
};

export interface FirstSteps {
  steps: { name: FirstStepName; isDone: boolean }[];
  /** The reader has put the list away. */
  isHidden: boolean;
  /** The newest upload of the users' own whose trace is still kept. */
  ownUploadId: string | null;
}

export const hideFirstStepsInput = z.object({ isHidden: z.boolean() });
