export { driveModelKey } from "./model-key.ts";
export { type PublishedFailures, publishedFailures } from "./published.ts";
