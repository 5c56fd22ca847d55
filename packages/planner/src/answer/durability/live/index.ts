export { type LiveFigure, listLiveFigures } from "./figures.ts";
export { judgeLiveDurability, type KnownDurability, type LiveDurability } from "./judge-live-durability.ts";
export {
  describeAssumptions,
  describeLiveDurability,
  describeRemedy,
} from "./sentence.ts";
export type { LivePod, LiveVault, RebuildRates } from "./vault.ts";
