export { locateObject } from "./locate.ts";
export { readLocations } from "./read.ts";
