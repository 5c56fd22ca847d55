export { listForecasts } from "./list.ts";
export { readWearForecast } from "./wear.ts";
