export { judgeDrivePeers } from "./judge-peers.ts";
