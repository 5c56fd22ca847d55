export { parseLifecycleRules } from "./read-rules.ts";
export {
  abortingPrefix,
  type DueAction,
  expiringPrefix,
  findAbort,
  findExpiration,
  type LifecycleRule,
  type RuledObject,
} from "./rules.ts";
export { writeLifecycleRules } from "./write-rules.ts";
