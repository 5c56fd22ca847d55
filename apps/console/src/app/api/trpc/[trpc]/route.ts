import { doors } from "../../../../server/doors.ts";

const handle = (request: Request) => doors().handleTrpcRequest(doors().options, request);

export { handle as GET, handle as POST };
