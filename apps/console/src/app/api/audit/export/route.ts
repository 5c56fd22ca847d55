import { doors } from "../../../../server/doors.ts";

export const GET = (request: Request) => doors().handleAuditExport(doors().options, request);
