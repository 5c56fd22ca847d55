export { askBuckets, previewRules } from "./ask.ts";
export { listDeletions } from "./list-deletions.ts";
export { readBucketAnswer } from "./read-answer.ts";
export { saveRules } from "./save-rules.ts";
