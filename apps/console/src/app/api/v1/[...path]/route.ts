import { doors } from "../../../../server/doors.ts";

const handle = (request: Request) => doors().handlePublicApi(doors().options, request);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
