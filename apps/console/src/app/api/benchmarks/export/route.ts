import { doors } from "../../../../server/doors.ts";

export const GET = (request: Request) => doors().handleBenchmarkExport(doors().options, request);
