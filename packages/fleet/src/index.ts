export { SimulatedAgent, type SimulatedAgentOptions } from "./agent.ts";
export { type Depths, depthsOf, WINDOW_MS } from "./depths.ts";
export { type FilledHistory, fillHistory, type HistoryOptions, type MemberOfFleet } from "./history.ts";
export { type LiveFleetOptions, runFleet } from "./live.ts";
export { FLEET_AGENT_VERSION, measuresOf } from "./measures.ts";
export { DAY_COUNT_MAX, type FleetNode, type FleetRole, NODE_COUNT_MAX, planFleet } from "./plan.ts";
