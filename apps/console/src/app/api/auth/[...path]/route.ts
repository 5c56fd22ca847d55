import { handleAuthRequest } from "@stashlight/api";
import { apiOptions } from "../../../../server/platform.ts";

const handle = (request: Request) => handleAuthRequest(apiOptions(), request);

export { handle as GET, handle as POST };
