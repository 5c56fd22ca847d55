"use client";
import { Fragment } from "react";
import { useIsClient } from "../core/use-now.ts";
import { keyCaps } from "./keys.ts";

/** A shortcut as drawn key caps: "g u", "mod+k". */
export function Keys({ keys }: { keys: string }) {
  const isClient = useIsClient();
  const steps = keyCaps(keys, isClient && /Mac|iPhone|iPad/.test(navigator.userAgent));
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-faint">
      {steps.map((caps, index) => (
        <Fragment key={caps.join("+")}>
          {index > 0 && <span className="text-xs">then</span>}
          {caps.map((cap) => (
            <kbd
              key={cap}
              className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-surface px-1 font-sans text-xs text-muted"
            >
              {cap}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
