import { cx } from "./cx.ts";

/** Styles shared by all floating elements. */
export const popupClass = cx(
  "rounded-md border border-line-strong bg-raised p-1 text-ink shadow-overlay outline-none",
  "transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0",
);

export const popupItemClass =
  "flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-sm px-2 text-left text-base outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";

export const backdropClass =
  "fixed inset-0 z-40 bg-overlay transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0";
