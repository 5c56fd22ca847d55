export { locateObject } from "./locate.ts";
export { readLocations } from "./read-locations.ts";
