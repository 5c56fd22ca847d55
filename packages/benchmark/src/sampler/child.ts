/** Entry point of the measuring process: one run, and nothing else. It ends when its parent does. */
import type { FromSampler, ToSampler } from "./messages.ts";
import { runJob } from "./run-job.ts";

const cancelling = new AbortController();

function send(message: FromSampler): void {
  process.send?.(message);
}

async function run({ job }: Extract<ToSampler, { type: "run" }>): Promise<void> {
  const end = await runJob(
    job,
    {
      onManifest: (manifest) => send({ type: "manifest", manifest }),
      onSamples: (samples, progress) => send({ type: "samples", samples, progress }),
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
send({ type: "ready" });
