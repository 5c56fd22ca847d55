/** Messages between the sampler's process and its parent. Secrets are passed only here. */
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import type { RunProgress } from "../run/progress.ts";
import type { SamplerJob } from "./job.ts";
import type { RunManifest } from "./manifest.ts";
import type { JobEnd } from "./run-job.ts";

export type ToSampler = { readonly type: "run"; readonly job: SamplerJob } | { readonly type: "cancel" };

export type FromSampler =
  | { readonly type: "ready" }
  | { readonly type: "manifest"; readonly manifest: RunManifest }
  | { readonly type: "samples"; readonly samples: readonly BenchmarkSample[]; readonly progress: RunProgress }
  | { readonly type: "end"; readonly end: JobEnd };
