export { checkEndpoint } from "./check.ts";
export { createEndpoint } from "./create.ts";
export { deleteEndpoint } from "./delete.ts";
export { duplicateEndpoint } from "./duplicate.ts";
export { listEndpoints } from "./list.ts";
export { listDeniedEndpoints } from "./list-denied.ts";
export { rotateEndpointCredentials } from "./rotate-credentials.ts";
export { updateEndpoint } from "./update.ts";
