/** First steps of an installation; each is detected as done, and none is ticked manually. */
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

/** Role that can take a step; the list leaves out steps that the reader cannot take. */
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
  /** The reader has hidden the list. */
  isHidden: boolean;
  /** Newest of the users' own uploads whose trace is still kept. */
  ownUploadId: string | null;
}

export const hideFirstStepsInput = z.object({ isHidden: z.boolean() });
