"use client";
import { useIsFetching } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useReducer, useRef } from "react";

/** Also what a little scrolling brings into view. */
const MARGIN_PX = 200;
/** Answers often lead to further questions at once. */
const QUIET_MS = 300;
/** On a slow machine a page that asks anew before all is answered is never quiet. */
const LATEST_MS = 30_000;

interface WhenNearProps {
  /** One element of the size of what comes. */
  readonly fallback: ReactNode;
  /** Asks what takes the server seconds in a large fleet, so it is made only when it comes near or the page is printed. */
  readonly isCostly?: boolean;
  readonly children: ReactNode;
}

/**
 * What is in view asks first. What lies further down is made when it comes near, or else when nothing is waited for any
 * more or half a minute has passed, so that a page that is printed or searched is whole.
 */
export function WhenNear({ fallback, isCostly = false, children }: WhenNearProps) {
  const [isMade, make] = useReducer(() => true, false);
  const place = useRef<HTMLDivElement>(null);
  const isQuiet = useIsFetching() === 0;

  useLayoutEffect(() => {
    const element = place.current?.firstElementChild;
    if (isMade || !element) return;
    // An observer tells a frame later.
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
  // An element that is not displayed has no height.
  return bottom > top && bottom > -MARGIN_PX && top < innerHeight + MARGIN_PX;
}
