export { type ObjectName, objectQuestionOpenMs, parseObjectName } from "./name.ts";
export * from "./object-location.ts";
