export { Logo, Wordmark } from "./logo.tsx";
