import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/**
 * Passes the location of this process's compile cache to a child that inherits nothing else of the environment. Without
 * the cache a child strips and compiles all TypeScript again, which is half of its start-up time.
 */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  const folderOfVersion = getCompileCacheDir();
  return folderOfVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folderOfVersion) };
}
