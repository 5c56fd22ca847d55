import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";

/** Fits as many equal tiles in a row as there is room for. */
export function TileGrid({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cx("grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fill,minmax(200px,1fr))]", className)}
    >
      {children}
    </div>
  );
}
