export { findByName } from "./find.ts";
