/** Health check of the image: asks the role in STASHLIGHT_ROLE if its process answers. */
const ports = {
  console: process.env.STASHLIGHT_PORT || 4680,
  ingest: process.env.STASHLIGHT_INGEST_PORT || 4685,
  worker: process.env.STASHLIGHT_WORKER_PORT || 4686,
};
const port = ports[process.env.STASHLIGHT_ROLE];
if (port === undefined) process.exit(0);
const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
process.exit(answer.ok ? 0 : 1);
