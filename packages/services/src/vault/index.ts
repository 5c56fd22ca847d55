export { listVaults } from "./list.ts";
