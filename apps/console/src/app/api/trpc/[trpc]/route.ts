import { handleTrpcRequest } from "@stashlight/api";
import { apiOptions } from "../../../../server/platform.ts";

const handle = (request: Request) => handleTrpcRequest(apiOptions(), request);

export { handle as GET, handle as POST };
