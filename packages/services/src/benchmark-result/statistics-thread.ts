/** The thread on which statistics of runs are computed. */
import { serveJobs } from "../thread/serve-jobs.ts";
import { compute } from "./statistics.ts";

serveJobs(compute);
