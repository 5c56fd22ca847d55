/** Memory that holds as few pages as an index can work with, for tests. */
import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";

export const fewPages = (): PageMemory => new PageMemory({ heldPagesMax: 3, file: new ArrayFile() });
