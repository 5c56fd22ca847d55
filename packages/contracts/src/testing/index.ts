export { useSharedFolder, useTestFolder } from "./folders.ts";
export { testLostObject } from "./lost-object.ts";
