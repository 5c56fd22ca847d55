import { handleAuditExport } from "@stashlight/api";
import { apiOptions } from "../../../../server/platform.ts";

export const GET = (request: Request) => handleAuditExport(apiOptions(), request);
