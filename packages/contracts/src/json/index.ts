export { findReservedName, refuseReservedNames, reservedNameSentence } from "./reserved-names.ts";
export { storedInstant, storedNumber } from "./stored.ts";
