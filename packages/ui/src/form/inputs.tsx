"use client";
import { Eye, EyeOff } from "lucide-react";
import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from "react";
import { cx } from "../core/cx.ts";
import { useFieldControl } from "./field.tsx";

/**
 * Style of a text control without its height. Text has at least 16 px on phones, which zoom into
 * fields with smaller text.
 */
export const controlClass = cx(
  "w-full min-w-0 rounded-md border border-control/80 bg-surface px-2.5 text-md text-ink max-md:text-[16px]",
  "transition-colors duration-[120ms] hover:border-control disabled:opacity-60 aria-invalid:border-bad",
  "focus-visible:border-accent-ink focus-visible:outline-1 focus-visible:outline-offset-0",
);

/** Restyles the browser's built-in button as a quiet one. */
const fileClass = cx(
  "py-1 text-muted file:mr-2.5 file:h-6.5 file:cursor-pointer file:rounded-sm file:border-0 file:bg-hover",
  "file:px-2 file:font-medium file:text-ink",
);

export type TextInputProps = ComponentProps<"input"> & {
  mono?: boolean;
  /** An icon inside the field, at its start. */
  icon?: ReactNode;
};

export function TextInput({ className, mono, icon, ...rest }: TextInputProps) {
  const field = useFieldControl();
  const input = (
    <input
      type="text"
      {...field}
      {...rest}
      className={cx(
        controlClass,
        "h-9",
        rest.type === "file" && fileClass,
        mono && "font-mono md:text-base",
        icon != null && "pl-8",
        className,
      )}
    />
  );
  if (icon == null) return input;
  return (
    <span className="relative block">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-faint [&_svg]:size-4">
        {icon}
      </span>
      {input}
    </span>
  );
}

export function TextArea({
  className,
  mono,
  rows = 4,
  ...rest
}: ComponentProps<"textarea"> & { mono?: boolean }) {
  const field = useFieldControl();
  return (
    <textarea
      rows={rows}
      {...field}
      {...rest}
      className={cx(controlClass, "py-1.5", mono && "font-mono md:text-base", className)}
    />
  );
}

/** A password field with a button that reveals the text, so that long passphrases need not be typed blind. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const field = useFieldControl();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <input
        autoComplete="current-password"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...field}
        {...rest}
        type={shown ? "text" : "password"}
        className={cx(controlClass, "h-9 pr-10", className)}
      />
      <button
        type="button"
        aria-label={shown ? "Hide password" : "Show password"}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </span>
  );
}

export type CodeInputProps = Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
  value?: string;
  onValueChange?: (value: string) => void;
  /** Called once the last digit is entered, typed or pasted. */
  onComplete?: (value: string) => void;
  length?: number;
};

/** A one-time code in a single input, so paste, autofill and screen readers all work. */
export function CodeInput(props: CodeInputProps) {
  const { value, onValueChange, onComplete, length = 6, className, ...rest } = props;
  const field = useFieldControl();
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = event.target.value.replace(/\D/g, "").slice(0, length);
    event.target.value = digits;
    onValueChange?.(digits);
    if (digits.length === length) onComplete?.(digits);
  };
  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={`[0-9]{${length}}`}
      placeholder={"0".repeat(length)}
      spellCheck={false}
      {...field}
      {...rest}
      value={value}
      onChange={change}
      className={cx(
        controlClass,
        "h-12 text-center font-mono text-xl! tracking-[0.4em] indent-[0.4em] placeholder:opacity-40",
        className,
      )}
    />
  );
}
