export { createAccessKey } from "./create.ts";
export { deleteAccessKey } from "./delete.ts";
export { disableAccessKey } from "./disable.ts";
export { type AccessKeyList, listAccessKeys } from "./list.ts";
export { rotateAccessKey } from "./rotate-secret.ts";
export { updateAccessKey } from "./update.ts";
