export { Wordmark } from "./logo.tsx";
