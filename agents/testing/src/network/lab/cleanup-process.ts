/**
 * `cleanup-process.ts PREFIX FOLDER`: waits until the process that started it has ended, however that happened, and
 * then removes its namespaces with everything running in them, and its folder.
 */
import { rmSync } from "node:fs";
import { namespacesWith, removeNamespaces } from "./namespaces.ts";

const [prefix = "", folder = ""] = process.argv.slice(2);
process.stdin.on("error", () => {});
process.stdin.resume().once("close", () => {
  void removeNamespaces(namespacesWith(prefix)).finally(() => {
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  });
});
