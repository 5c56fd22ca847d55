export { type ObjectName, objectQuestionOpenMs, parseObjectName } from "./name.ts";
export {
  type FoundObject,
  type LocatedShard,
  locatedPiecesMax,
  locateObjectInput,
  type ObjectAnswer,
  type ObjectLocation,
  type ObjectQuestion,
  objectAnswersSchema,
  objectLocationSchema,
  objectQuestionsAnswerWithinMs,
  objectQuestionsAskedEveryMs,
  objectQuestionsAtOnceMax,
  objectQuestionsSchema,
  objectQuestionVaultsMax,
  readLocationsInput,
  type VaultLocation,
} from "./object-location.ts";
