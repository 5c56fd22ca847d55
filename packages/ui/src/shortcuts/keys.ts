/** Properties that identify a key press; a KeyboardEvent has them all. */
export type KeyPress = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
};

/** Time limit for the second key of a sequence. */
export const SEQUENCE_MS = 1200;

/**
 * Converts a press to a step: "g", "?", "mod+k", "escape"; null for no step (a lone modifier, Alt). Shift is omitted,
 * since it already determines the character.
 */
export function pressedKey(press: KeyPress): string | null {
  if (press.altKey || ["Shift", "Control", "Meta", "Alt", "Dead"].includes(press.key)) return null;
  const key = press.key === " " ? "space" : press.key.toLowerCase();
  return press.ctrlKey || press.metaKey ? `mod+${key}` : key;
}

export type Match = { keys: string | null; pending: string | null };

/** Finds which of `known` the step completes, given the first key of a sequence that may be waiting for its second. */
export function matchStep(known: readonly string[], pending: string | null, step: string): Match {
  const sequence = pending === null ? null : `${pending} ${step}`;
  if (sequence !== null && known.includes(sequence)) return { keys: sequence, pending: null };
  if (known.includes(step)) return { keys: step, pending: null };
  const begins = known.some((keys) => keys.startsWith(`${step} `));
  return { keys: null, pending: begins ? step : null };
}

const names: Record<string, string> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  enter: "Enter",
  escape: "Esc",
  space: "Space",
};

/** Key caps to draw: "mod+k" is one step of two caps, "g u" two steps of one. */
export function keyCaps(keys: string, isApple: boolean): string[][] {
  return keys.split(" ").map((step) =>
    step.split(/\+(?=.)/).map((cap) => {
      if (cap === "mod") return isApple ? "⌘" : "Ctrl";
      return names[cap] ?? (cap.length === 1 ? cap.toUpperCase() : cap);
    }),
  );
}
