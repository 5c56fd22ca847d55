import { bucketAnswerSchema, bucketQuestionSchema } from "@stashlight/contracts/bucket";
import { jsonColumn } from "./json-column.ts";

export const bucketQuestionColumns = {
  question: jsonColumn("bucket_question.question", bucketQuestionSchema),
  answer: jsonColumn("bucket_question.answer", bucketAnswerSchema),
};
