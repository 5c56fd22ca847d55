import { objectLocationSchema } from "@stashlight/contracts/object-location";
import { jsonColumn } from "./json-column.ts";

export const objectQuestionColumns = {
  location: jsonColumn("object_question.location", objectLocationSchema),
};
