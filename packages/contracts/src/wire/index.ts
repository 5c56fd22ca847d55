export { pageTransformer } from "./page-transformer.ts";
export { transformer } from "./transformer.ts";
