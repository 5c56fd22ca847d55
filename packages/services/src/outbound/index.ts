export { allowOutboundNetwork, listOutboundNetworks, removeOutboundNetwork } from "./networks.ts";
