export { listVaults } from "./list.ts";
export { listLostObjects } from "./list-lost.ts";
