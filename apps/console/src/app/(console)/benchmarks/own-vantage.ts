/**
 * The console's own worker, which is not a node, as a vantage point. Separate from the form, so that a page can name it
 * without loading the form.
 */
export const ownVantage = "worker";
