"use client";
import { useIsFetching } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useReducer, useRef } from "react";

/** Margin that includes content within a short scroll. */
const MARGIN_PX = 200;
/** Waits briefly, since answers often lead to further queries at once. */
const QUIET_MS = 300;
/** On a slow machine, a page that queries again before all answers arrive is never quiet. */
const LATEST_MS = 30_000;

interface WhenNearProps {
  /** One element of the content's size. */
  readonly fallback: ReactNode;
  /**
   * Content that takes the server seconds in a large fleet, so it is rendered only when near the viewport or printed.
   */
  readonly isCostly?: boolean;
  readonly children: ReactNode;
}

/**
 * Content in the viewport queries first. Content further down is rendered when near, or else once no query is pending
 * or half a minute has passed, so that a printed or searched page is complete.
 */
export function WhenNear({ fallback, isCostly = false, children }: WhenNearProps) {
  const [isMade, make] = useReducer(() => true, false);
  const place = useRef<HTMLDivElement>(null);
  const isQuiet = useIsFetching() === 0;

  useLayoutEffect(() => {
    const element = place.current?.firstElementChild;
    if (isMade || !element) return;
    // An observer reports one frame later.
    if (isNear(element)) return make();
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) make();
      },
      { rootMargin: `${MARGIN_PX}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isMade]);

  useEffect(() => {
    if (isMade || isCostly || !isQuiet) return;
    const timer = setTimeout(make, QUIET_MS);
    return () => clearTimeout(timer);
  }, [isMade, isCostly, isQuiet]);

  useEffect(() => {
    if (isCostly) {
      window.addEventListener("beforeprint", make);
      return () => window.removeEventListener("beforeprint", make);
    }
    const timer = setTimeout(make, LATEST_MS);
    return () => clearTimeout(timer);
  }, [isCostly]);

  if (isMade) return children;
  return (
    <div ref={place} className="contents">
      {fallback}
    </div>
  );
}

function isNear(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  // A hidden element has no height.
  return bottom > top && bottom > -MARGIN_PX && top < innerHeight + MARGIN_PX;
}
