/** Entry point of the measuring process: one run, and nothing else. It ends when its parent does. */
import type { FromSampler, ToSampler } from "./messages.ts";
import { runJob } from "./run-job.ts";

const cancelling = new AbortController();

function tell(message: FromSampler): void {
  process.send?.(message);
}

async function run({ job }: Extract<ToSampler, { type: "run" }>): Promise<void> {
  const end = await runJob(
    job,
    {
      onManifest: (manifest) => tell({ type: "manifest", manifest }),
      onSamples: (samples, progress) => tell({ type: "samples", samples, progress }),
    },
    cancelling.signal,
  );
  // The channel closes after the last message, and then nothing keeps this process alive.
  process.send?.({ type: "end", end } satisfies FromSampler, () => process.disconnect());
}

process.on("message", (message: ToSampler) => {
  if (message.type === "cancel") cancelling.abort(new Error("The run was cancelled."));
  else void run(message);
});
process.on("disconnect", () => process.exit());
tell({ type: "ready" });
