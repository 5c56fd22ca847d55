export interface TickOptions {
  everyMs: number;
  action: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Runs an action again and again, never twice at a time; an error is reported and the next turn tries again. */
export function startTicking({ everyMs, action, onError }: TickOptions): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  const run = () => {
    turn = action()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
