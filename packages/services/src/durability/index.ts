export { listDurability } from "./list.ts";
