/** Holds the given folder until it is killed; reports so on its output. */
import { argv, stdout } from "node:process";
import { openNodeDisk } from "../node/disk.ts";

openNodeDisk(argv[2] as string, { directReads: "buffered" }, (error) => {
  stdout.write(error === null ? "held\n" : `${error.message}\n`);
  if (error === null) setInterval(() => {}, 60_000);
});
