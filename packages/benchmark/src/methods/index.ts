/** Exports the parts of the methods that planning needs, without the client that runs them. */
export { costOfStage, requestCost } from "./cost.ts";
export type { DriveWork, Estimate, Leg, Method, MethodPlan, MethodPreset, MethodResult } from "./method.ts";
export { type ChosenMethod, chooseMethod, type MethodChoice, methods, storedChoice } from "./registry.ts";
