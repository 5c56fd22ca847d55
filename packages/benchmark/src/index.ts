export { type CleanUpInput, type CleanUpResult, cleanUp } from "./cleanup/clean-up.ts";
export { EndpointError, explainFailure } from "./endpoint/explain-failure.ts";
export type { EndpointFailure } from "./endpoint/failure.ts";
export {
  type EndpointTarget,
  type EndpointTargetInput,
  endpointTargetSchema,
  pinTarget,
} from "./endpoint/target.ts";
export { costOfStage, requestCost } from "./methods/cost.ts";
export type {
  DriveWork,
  Estimate,
  Leg,
  Method,
  MethodPlan,
  MethodPreset,
  MethodResult,
} from "./methods/method.ts";
export {
  type ChosenMethod,
  chooseMethod,
  chooseStoreMethod,
  type MethodChoice,
  methods,
} from "./methods/registry.ts";
export { type ProbeInput, probeEndpoint } from "./probe/probe-endpoint.ts";
export { type AwaitedEndpoint, waitForAnswer } from "./probe/wait-for-answer.ts";
export * from "./run/flags.ts";
export { buildRunPrefix, isRunPrefix } from "./run/keys.ts";
export type { RunProgress } from "./run/progress.ts";
export type { StoredCheck } from "./run/stored-objects.ts";
export { type SamplerJob, type SamplerJobInput, samplerJobSchema } from "./sampler/job.ts";
export type { RunManifest } from "./sampler/manifest.ts";
export { type RunEnd, type SamplerOptions, startSampler } from "./sampler/start-sampler.ts";
