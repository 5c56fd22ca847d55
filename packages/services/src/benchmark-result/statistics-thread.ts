/** Thread that computes statistics of runs. */
import { serveJobs } from "../thread/serve-jobs.ts";
import { compute } from "./statistics.ts";

serveJobs(compute);
