export { findByName } from "./find-by-name.ts";
