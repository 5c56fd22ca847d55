export { describeLink } from "./describe.ts";
