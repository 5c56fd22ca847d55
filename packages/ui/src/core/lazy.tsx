"use client";
import { type ComponentType, createElement, lazy, Suspense, useState } from "react";

/**
 * A component that is fetched the first time it opens and stays from then on. Floating panels bring 25 to 60 kB of
 * positioning and focus code, which no page should load before someone opens one.
 */
export function lazyWhenOpen<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Implementation = lazy(async () => ({ default: await load() }));
  return function LazyWhenOpen(props: Props) {
    const [needed, setNeeded] = useState(props.open);
    if (props.open && !needed) setNeeded(true);
    if (!needed) return null;
    return (
      <Suspense fallback={null}>{createElement(Implementation as ComponentType<Props>, props)}</Suspense>
    );
  };
}
