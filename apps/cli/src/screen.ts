/** Prints permanent lines, and below them a changing one if the output is a terminal. */
export interface Screen {
  /** Prints a permanent line. */
  say(line: string): void;
  /** Replaces the changing line; does nothing without a terminal. */
  draw(line: string): void;
}

interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const CLEAR_LINE = "\r\x1b[K";

export function createScreen(terminal: Terminal): Screen {
  let isDrawn = false;
  return {
    say: (line) => {
      terminal.write(`${isDrawn ? CLEAR_LINE : ""}${line}\n`);
      isDrawn = false;
    },
    draw: (line) => {
      if (terminal.isTTY !== true) return;
      terminal.write(`${CLEAR_LINE}${line.slice(0, (terminal.columns ?? 80) - 1)}`);
      isDrawn = true;
    },
  };
}
