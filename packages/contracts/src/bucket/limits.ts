/** Limits of questions about buckets. The console uses them, so they must not need a schema library. */

/** Interval between a coordinator's requests, and its time limit for the ingest. */
export const bucketQuestionsAskedEveryMs = 2_000;
export const bucketQuestionsAnswerWithinMs = 5_000;
/** A question that no coordinator has taken within this time is never taken, so a change is never carried out late. */
export const bucketQuestionOpenMs = 10_000;
/** Time for which the console waits for the answer to a question that was taken. */
export const bucketAnswerWithinMs = 60_000;
/** Time limit for counting objects at a coordinator. */
export const objectsCountedWithinMs = 20_000;
/** Limit on questions that a coordinator processes at a time. */
export const bucketQuestionsAtOnceMax = 4;
/** Limit on a vault's questions that wait for a coordinator. */
export const bucketQuestionsOpenMax = 20;
export const bucketsPerAnswerMax = 100;
/** Limit on objects counted per bucket in a list of buckets; a view of one bucket counts further. */
export const objectsCountedInListMax = 1_000;
/** Limit on tags per bucket in a list of buckets. */
export const tagsInListMax = 3;
/**
 * Limit on lifecycle rules of a bucket that the console shows and changes. AWS allows 1,000; a client can write larger
 * configurations.
 */
export const lifecycleRulesShownMax = 50;
/** Limit on lifecycle deletions in one report. */
export const deletionsPerReportMax = 200;
/** Days after which multipart uploads that no rule covers are aborted. */
export const defaultAbortDays = 7;
