export type { SimulatedAgentOptions } from "./agent.ts";
export type { Depths } from "./depths.ts";
export { type FilledHistory, fillHistory, type HistoryOptions } from "./history.ts";
export type { MemberOfFleet } from "./history-members.ts";
export { inTurns, type LiveFleetOptions, runFleet } from "./live.ts";
export { FLEET_AGENT_VERSION } from "./measures.ts";
export { type FleetNode, type FleetRole, planFleet } from "./plan.ts";
