/** Output for the user: a list of steps that is updated in place on a terminal, and one line per event otherwise. */

export type StepState = "waiting" | "running" | "done" | "failed";

export interface Step {
  label: string;
  state: StepState;
  detail: string;
  elapsedMs: number;
}

export interface StepHandle {
  /** Current activity of the step. */
  show(detail: string): void;
}

/** Result of a step in a few words, or the reason for a failure that does not prevent startup. */
export type StepResult = string | { failure: string };

export interface View {
  /** Runs a step, and shows its progress and result. */
  step(label: string, work: (handle: StepHandle) => Promise<StepResult>): Promise<void>;
  /** Prints a line below the steps, which no longer change. */
  say(line: string): void;
  /** Prints a line above the steps while they are drawn. */
  note(line: string): void;
  /** Freezes everything printed so far. */
  settle(): void;
}

interface Terminal {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

interface Style {
  columns: number;
  isColoured: boolean;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const labelColumns = 12;

export function createView(terminal: Terminal, env: NodeJS.ProcessEnv, labels: string[]): View {
  return terminal.isTTY && env.TERM !== "dumb" ? liveView(terminal, env, labels) : plainView(terminal);
}

function plainView(terminal: Terminal): View {
  const say = (line: string) => void terminal.write(`${line}\n`);
  return {
    async step(label, work) {
      const startedMs = performance.now();
      let lastShown = "";
      const { detail } = describeResult(
        await work({
          show(text) {
            if (text !== lastShown) say(`${label}: ${text}`);
            lastShown = text;
          },
        }),
      );
      say(`${label}: ${detail} (${inSeconds(performance.now() - startedMs)})`);
    },
    say,
    note: say,
    settle() {},
  };
}

function liveView(terminal: Terminal, env: NodeJS.ProcessEnv, labels: string[]): View {
  const steps: Step[] = labels.map((label) => ({ label, state: "waiting", detail: "", elapsedMs: 0 }));
  const isColoured = !env.NO_COLOR;
  const startTimesMs = new Map<Step, number>();
  let drawn: string[] = [];
  const draw = () => {
    const nowMs = performance.now();
    for (const [step, startedMs] of startTimesMs) step.elapsedMs = nowMs - startedMs;
    const lines = renderSteps(steps, nowMs, { columns: terminal.columns ?? 80, isColoured });
    if (lines.join("\n") === drawn.join("\n")) return;
    const up = drawn.length > 0 ? `\x1b[${drawn.length}A` : "\x1b[?25l";
    terminal.write(`${up}${lines.map((line) => `\r${line}\x1b[K\n`).join("")}`);
    drawn = lines;
  };
  let timer: NodeJS.Timeout | undefined = setInterval(draw, frameMs);
  const settle = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    draw();
    terminal.write("\x1b[?25h");
  };
  draw();
  const say = (line: string) => {
    settle();
    terminal.write(`${line}\n`);
  };
  return {
    async step(label, work) {
      const step = steps.find((candidate) => candidate.label === label);
      if (!step) throw new Error(`The view has no step ${label}.`);
      step.state = "running";
      startTimesMs.set(step, performance.now());
      try {
        const result = await work({
          show(detail) {
            step.detail = detail;
          },
        });
        Object.assign(step, describeResult(result));
      } catch (error) {
        step.state = "failed";
        throw error;
      } finally {
        if (timer) draw();
        startTimesMs.delete(step);
      }
    },
    say,
    note(line) {
      if (timer === undefined) return say(line);
      terminal.write(`\x1b[${drawn.length}A\x1b[J${line}\n`);
      drawn = [];
      draw();
    },
    settle,
  };
}

const describeResult = (result: StepResult): Pick<Step, "detail" | "state"> =>
  typeof result === "string"
    ? { detail: result, state: "done" }
    : { detail: result.failure, state: "failed" };

export function renderSteps(steps: Step[], nowMs: number, style: Style): string[] {
  const frame = frames[Math.floor(nowMs / frameMs) % frames.length] ?? "";
  return ["", ...steps.map((step) => renderStep(step, frame, style)), ""];
}

function renderStep({ label, state, detail, elapsedMs }: Step, frame: string, style: Style): string {
  const marks: Record<StepState, string> = { waiting: "·", running: frame, done: "✓", failed: "✗" };
  const colours: Record<StepState, number> = { waiting: 2, running: 36, done: 32, failed: 31 };
  const paint = (text: string, code: number) => (style.isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
  const mark = paint(marks[state], colours[state]);
  const name = label.padEnd(labelColumns);
  if (state === "waiting") return `  ${mark} ${paint(name, 2)}`;
  const elapsed = inSeconds(elapsedMs).padStart(7);
  const detailColumns = Math.max(0, style.columns - labelColumns - elapsed.length - 7);
  const shown = fit(detail, Math.min(detailColumns, 48));
  return `  ${mark} ${name} ${shown} ${paint(elapsed, 2)}`;
}

function fit(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text.padEnd(columns);
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
