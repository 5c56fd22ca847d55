export { nearestRank, samplesNeeded } from "./rank.ts";
