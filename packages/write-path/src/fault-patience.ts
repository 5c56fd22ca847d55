/**
 * How long a drive's fault is given to pass. A bus that resets or a controller that starts again takes seconds, and an
 * operator who plugs a cable in again some minutes; what is unreadable after that is lost.
 */
export const FAULT_PASSES_WITHIN_MS = 300_000;
