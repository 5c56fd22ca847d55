/**
 * Header in which the console's server passes on the real origin of a request. The server sets it on every request,
 * from the socket or a trusted proxy, over any value that a client sent under this name.
 */
export const clientAddressHeader = "x-stashlight-client-address";
