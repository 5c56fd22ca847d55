export {
  type LostObject,
  type LostObjects,
  listLostObjectsInput,
  lostObjectSchema,
  lostObjectsCurrentMs,
  lostObjectsReportedEveryMs,
  lostObjectsSchema,
  reportedLostObjectsMax,
  uniteLostObjects,
  type VaultLostObjects,
} from "./lost-object.ts";
export { describeShortage, lostObjectName, shortageReasons } from "./shard-shortage.ts";
