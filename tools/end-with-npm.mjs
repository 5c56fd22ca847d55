/** Loaded before a program that replaces the bootstrap, and asks it to end when its npm is killed. */
import { watchNpm } from "./npm-parent.mjs";

watchNpm(() => process.kill(process.pid, "SIGTERM"));
