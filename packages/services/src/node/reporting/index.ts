export { createNodeAuthenticator, type NodeAuthenticator } from "./authenticate.ts";
export { type NodeHeartbeats, type NodeSighting, startNodeHeartbeats } from "./heartbeats.ts";
export { noteRefusedValues, type RefusedValue } from "./note-refused.ts";
