/** The process that measures: one run, and nothing else. It ends when its parent does. */
import type { BenchmarkSample } from "@stashlight/contracts";
import type { RunProgress } from "../run/progress.ts";
import type { FromSampler, ToSampler } from "./messages.ts";
import { runJob } from "./run-job.ts";

/** Samples go to the parent together, so that telling takes little time from measuring. */
const TELL_EVERY_MS = 100;
const TOLD_TOGETHER_MAX = 500;

const cancelling = new AbortController();
let samples: BenchmarkSample[] = [];
let toldAt = 0;

function tell(message: FromSampler): void {
  process.send?.(message);
}

function tellSamples(progress: RunProgress): void {
  if (samples.length > 0) tell({ type: "samples", samples, progress });
  samples = [];
  toldAt = performance.now();
}

async function run({ job }: Extract<ToSampler, { type: "run" }>): Promise<void> {
  let latest: RunProgress = { share: 0, text: "Starting", leftMs: null };
  const listener = {
    onManifest: (manifest: Extract<FromSampler, { type: "manifest" }>["manifest"]) =>
      tell({ type: "manifest", manifest }),
    onSample: (sample: BenchmarkSample, progress: RunProgress) => {
      samples.push(sample);
      latest = progress;
      const isDue = performance.now() - toldAt >= TELL_EVERY_MS || samples.length >= TOLD_TOGETHER_MAX;
      if (isDue) tellSamples(progress);
    },
  };
  const end = await runJob(job, listener, cancelling.signal);
  tellSamples(latest);
  // The channel is closed when the last message is through, and with it nothing keeps this process.
  process.send?.({ type: "end", end } satisfies FromSampler, () => process.disconnect());
}

process.on("message", (message: ToSampler) => {
  if (message.type === "cancel") cancelling.abort(new Error("The run was cancelled."));
  else void run(message);
});
process.on("disconnect", () => process.exit());
tell({ type: "ready" });
