/** The thread on which files are read: work of up to seconds, and what it needs memory for goes with it. */
import { serveJobs } from "../thread/serve-jobs.ts";
import { readImport } from "./read-import.ts";

serveJobs(readImport);
