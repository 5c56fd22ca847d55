import { nodeRoles, nodeStatuses } from "@stashlight/contracts/node";
import { wordColumn } from "./word-column.ts";

export const nodeColumns = {
  role: wordColumn("node.role", nodeRoles),
  status: wordColumn("node.status", nodeStatuses),
};

export const enrolmentTokenColumns = { role: wordColumn("enrolment_token.role", nodeRoles) };
