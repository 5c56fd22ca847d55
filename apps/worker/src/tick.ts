export interface TickOptions {
  everyMs: number;
  action: () => Promise<void>;
  onError: (error: unknown) => void;
}

export interface Ticking {
  /** Time of the last successful run, by performance.now(); undefined before the first success. */
  doneMs(): number | undefined;
  stop(): Promise<void>;
}

/** Repeats an action without overlap. Reports an error, and tries again at the next interval. */
export function startTicking({ everyMs, action, onError }: TickOptions): Ticking {
  let doneMs: number | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  const run = () => {
    turn = action()
      .then(() => {
        doneMs = performance.now();
      })
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return {
    doneMs: () => doneMs,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
