/** Number of attempts after the first. */
export const retryLimit = 2;
/** An attempt that takes longer is abandoned and retried. */
export const expireSeconds = 600;
/** A run that has not ended after every attempt must have expired was lost with its worker. */
export const runLostAfterMs = (retryLimit + 1) * (expireSeconds + 120) * 1000;
