"use client";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { UiLink, type UiLinkProps } from "../core/provider.tsx";
import { Spinner } from "../core/spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md";

const variantClass: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border-control/60 bg-surface text-ink hover:border-control hover:bg-hover",
  quiet: "border-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-bad-fill text-on-accent hover:bg-bad-fill-hover",
};

const sizeClass: Record<ButtonSize, string> = {
  sm: "h-7 gap-1.5 text-sm [&_svg]:size-3.5",
  md: "h-8 gap-2 text-base [&_svg]:size-4",
};

const shapeClass = {
  text: { sm: "px-2", md: "px-3" },
  square: { sm: "w-7", md: "w-8" },
};

/** Button style for other elements that act as buttons; "square" holds only an icon. */
export function buttonClass(
  variant: ButtonVariant = "secondary",
  size: ButtonSize = "md",
  shape: keyof typeof shapeClass = "text",
): string {
  return cx(
    "relative inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none",
    "transition-colors duration-[120ms] disabled:pointer-events-none disabled:opacity-50",
    variantClass[variant],
    sizeClass[size],
    shapeClass[shape][size],
  );
}

export type ButtonProps = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** While work is in progress, the button keeps its place and focus, shows a spinner and ignores presses. */
  pending?: boolean;
};

export function Button({
  variant,
  size,
  icon,
  pending = false,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // A disabled button would lose keyboard focus, so a pending one ignores the press instead.
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  const shape = icon !== undefined && children === undefined ? "square" : "text";
  return (
    <button
      type="button"
      {...rest}
      onClick={press}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest["aria-disabled"]}
      className={cx(buttonClass(variant, size, shape), className)}
    >
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      <span className={cx("contents", pending && "[&>*]:opacity-0")}>
        {icon}
        {children !== undefined && <span>{children}</span>}
      </span>
    </button>
  );
}

export type LinkButtonProps = UiLinkProps & { variant?: ButtonVariant; size?: ButtonSize; icon?: ReactNode };

export function LinkButton({ variant, size, icon, children, className, ...rest }: LinkButtonProps) {
  return (
    <UiLink {...rest} className={cx(buttonClass(variant, size), "no-underline", className)}>
      {icon}
      <span>{children}</span>
    </UiLink>
  );
}
