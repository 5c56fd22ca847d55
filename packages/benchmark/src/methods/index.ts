/** Planning needs these parts of the methods, without the client that runs them. */
export { costOf, costOfStage } from "./cost.ts";
export type { DriveWork, Estimate, Leg, Method, MethodPlan, MethodPreset, MethodResult } from "./method.ts";
export { type ChosenMethod, chooseMethod, type MethodChoice, methods, storedChoice } from "./registry.ts";
