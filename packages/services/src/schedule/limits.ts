/** Number of attempts after the first. */
export const retryLimit = 2;
/** An attempt that takes longer is abandoned and retried. */
export const expireSeconds = 600;
/** Time by which all attempts of a run have expired; a run that has not ended by then was lost with its worker. */
export const runLostAfterMs = (retryLimit + 1) * (expireSeconds + 120) * 1000;
