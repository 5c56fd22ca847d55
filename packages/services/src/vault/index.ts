export { listVaults } from "./list.ts";
export { listLostObjects } from "./list-lost.ts";
export { type ForecastVaultRow, listForecastVaults, listVaultStates } from "./list-states.ts";
