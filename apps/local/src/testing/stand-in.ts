/** Plays a child process in tests. Its arguments are BEHAVIOUR and FILE; it writes a line to FILE for every event. */
import { appendFileSync } from "node:fs";
import { onSupervisorGone, reportFailed, reportReady } from "@stashlight/contracts/process";

const [behaviour = "", file = ""] = process.argv.slice(2);
const note = (event: string) => appendFileSync(file, `${event} ${process.pid}\n`);

note("started");
process.on("SIGINT", () => note("interrupted"));
if (behaviour === "fail") reportFailed("The stand-in has no wish to work.");
if (behaviour === "crash") throw new Error("The stand-in fell over.");
if (behaviour !== "fail") {
  // Keeps the event loop alive.
  const timer = setInterval(() => {}, 60_000);
  onSupervisorGone(() => {
    note("asked to end");
    if (behaviour === "stubborn") return;
    clearInterval(timer);
    process.exit(0);
  });
  if (behaviour !== "mute") reportReady();
}
