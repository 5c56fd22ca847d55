export * from "./compare.ts";
export * from "./demand.ts";
export { type EbsLimits, type EbsMoment, type EbsType, ebsLimits, ebsTypeNames, ebsTypes } from "./limits.ts";
export { type EbsPriceList, monthlyUsd, type PricePeriod, pricesAt, usEastPrices } from "./prices.ts";
export {
  type Demand,
  type DemandStep,
  type ServedDemand,
  type ServedPiece,
  type ServeOptions,
  serveDemand,
} from "./serve.ts";
export {
  type BurstFigures,
  burstFigures,
  type CheckedVolume,
  checkVolume,
  type EbsVolume,
  type VolumeField,
  type VolumeProblem,
  type VolumeRates,
} from "./volume.ts";
