/** The thread on which large answers are merged. */
import { serveJobs } from "../../thread/serve-jobs.ts";
import { merge } from "./merge.ts";

serveJobs(merge);
