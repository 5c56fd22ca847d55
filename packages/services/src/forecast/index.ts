export { listForecasts } from "./list.ts";
