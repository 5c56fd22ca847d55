import { doors } from "../../../../server/doors.ts";

export const POST = (request: Request) => doors().handleBenchmarkImport(doors().options, request);
