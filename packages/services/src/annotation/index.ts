export { createAnnotation } from "./create.ts";
export { deleteAnnotation } from "./delete.ts";
export { listAnnotations } from "./list.ts";
