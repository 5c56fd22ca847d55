interface StopHandlers {
  /** Ends everything in order. */
  stop(): void;
  /** Ends everything at once. */
  kill(): void;
}

/** One Ctrl-C arrives several times within a moment: from the terminal, from npm and from the bootstrap. */
const sameRequestMs = 400;

/** The first request stops, and a further one kills. The end of the parent process is a request too. */
export function onStopRequest({ stop, kill }: StopHandlers): void {
  let firstMs: number | undefined;
  const request = () => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      stop();
    } else if (nowMs - firstMs > sameRequestMs) kill();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, request);
  process.once("disconnect", () => {
    if (firstMs === undefined) request();
  });
}
