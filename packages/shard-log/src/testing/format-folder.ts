/** Formats a log in the given folder and prints the disk's answer. */
import { argv, stdout } from "node:process";
import { DiskError } from "../disk.ts";
import { openNodeDisk } from "../node/disk.ts";
import { formatLog } from "../volume-file.ts";
import { smallOptions } from "./samples.ts";

openNodeDisk(argv[2] as string, { directReads: "buffered" }, (error, disk) => {
  if (disk === null) throw error;
  formatLog(smallOptions(disk), (failed) => {
    const cause = failed?.cause;
    stdout.write(`${cause instanceof DiskError ? cause.code : "formatted"}\n`);
  });
});
