export { createChannel } from "./create.ts";
export { deleteChannel } from "./delete.ts";
export { deliverAlerts } from "./deliver.ts";
export { listChannels } from "./list.ts";
export { listDeniedChannels } from "./list-denied.ts";
export { testChannel } from "./test-message.ts";
export { updateChannel } from "./update.ts";
