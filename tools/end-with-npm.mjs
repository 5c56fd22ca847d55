/** Loaded before a program that took the bootstrap's place: it is asked to end when its npm was killed. */
import { watchNpm } from "./npm-parent.mjs";

watchNpm(() => process.kill(process.pid, "SIGTERM"));
