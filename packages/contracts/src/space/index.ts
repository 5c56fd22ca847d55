export {
  describeFullness,
  describePodSpace,
  describeRawSpace,
  describeSpace,
  type Fill,
  fillShare,
  formatFill,
  formatFillShort,
  isOneMoment,
  type Measured,
  measureFill,
  vaultMark,
} from "./fill.ts";
export { podSpace, stashSpace, vaultSpace, wearSpace } from "./gauges.ts";
export {
  describeFullIndex,
  describeIndexLimit,
  INDEX_ADVICE,
  type IndexUse,
  judgeIndex,
} from "./index-use.ts";
export { recordBytes, recordSizes } from "./record-size.ts";
export { describeClosedStash, measureStash, type StashSpace } from "./stash-space.ts";
