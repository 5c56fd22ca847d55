/**
 * The header in which the console's server says where a request really comes from. The server sets it on every
 * request, from the socket or a trusted proxy, over whatever a client sent under this name.
 */
export const clientAddressHeader = "x-stashlight-client-address";
