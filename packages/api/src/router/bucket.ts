import {
  askBucketsInput,
  listDeletionsInput,
  previewRulesInput,
  readBucketAnswerInput,
  saveRulesInput,
} from "@stashlight/contracts/bucket";
import {
  askBuckets,
  listDeletions,
  previewRules,
  readBucketAnswer,
  saveRules,
} from "@stashlight/services/bucket";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const bucketRouter = router({
  ask: mutationWith(askBucketsInput, askBuckets),
  preview: mutationWith(previewRulesInput, previewRules),
  save: mutationWith(saveRulesInput, saveRules),
  read: queryWith(readBucketAnswerInput, readBucketAnswer),
  listDeletions: queryWith(listDeletionsInput, listDeletions),
});
