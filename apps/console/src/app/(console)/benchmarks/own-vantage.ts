/** The worker beside the console, which is no node; apart from the form, so that a page may name it without that. */
export const ownVantage = "worker";
