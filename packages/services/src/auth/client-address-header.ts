/** The console's server sets this header itself from the socket or a trusted proxy; what a client sends is dropped. */
export const clientAddressHeader = "x-stashlight-client-address";
