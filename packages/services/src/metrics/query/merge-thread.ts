/** Thread that merges large answers. */
import { serveJobs } from "../../thread/serve-jobs.ts";
import { merge } from "./merge.ts";

serveJobs(merge);
