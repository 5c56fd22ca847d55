/** Limits of questions about buckets. The console uses them, so they need no schema library. */

/** A coordinator waits this long between two requests, and this long for the ingest. */
export const bucketQuestionsAskedEveryMs = 2_000;
export const bucketQuestionsAnswerWithinMs = 5_000;
/** A question that no coordinator has taken by then is never taken, so a change is never carried out late. */
export const bucketQuestionOpenMs = 10_000;
/** The console waits this long for the answer to a question that was taken. */
export const bucketAnswerWithinMs = 60_000;
/** A coordinator counts objects for this long at most. */
export const objectsCountedWithinMs = 20_000;
/** A coordinator works on this many questions at a time. */
export const bucketQuestionsAtOnceMax = 4;
/** Questions of a vault that wait for a coordinator. */
export const bucketQuestionsOpenMax = 20;
export const bucketsPerAnswerMax = 100;
/** Objects of each bucket that are counted for a list of buckets; a view of one bucket counts on. */
export const objectsCountedInListMax = 1_000;
/** Tags of each bucket in a list of buckets. */
export const tagsInListMax = 3;
/** Lifecycle rules of a bucket that the console shows and changes. AWS allows 1,000, which are written with a client. */
export const lifecycleRulesShownMax = 50;
/** Deletions by lifecycle rules in one report. */
export const deletionsPerReportMax = 200;
/** Multipart uploads that no rule covers are aborted after these days. */
export const defaultAbortDays = 7;
