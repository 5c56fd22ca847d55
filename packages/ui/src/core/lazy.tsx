"use client";
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";
import { useIsClient } from "./use-now.ts";

interface LazyProps {
  /** Placeholder until the component's code has loaded. */
  readonly fallback?: ReactNode;
}

type LazyPart<Props> = ComponentType<Props & LazyProps> & {
  /**
   * Fetches the code now: when the module is evaluated, before the page is interactive, or while requests are pending.
   */
  readonly preload: () => void;
};

interface Loaded<Props> {
  readonly component: ComponentType<Props>;
}

/**
 * A component whose code loads in parallel with the page instead of before it. Replaces `React.lazy` in a Suspense boundary,
 * because React reveals a boundary no sooner than 300 ms after another one, which delayed values that had already
 * arrived. A failed fetch is an error of the component, and the next mount retries it.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: Loaded<Props> | null = null;
  const fetchCode = async (): Promise<Loaded<Props>> => {
    loaded = { component: await load() };
    return loaded;
  };
  // Ignores a failure: the component fetches again when it mounts, and reports the error.
  const preload = (): void => void fetchCode().catch(() => {});

  function Part({ fallback = null, ...props }: Props & LazyProps) {
    // The server has the code at once, and the first render in the browser must match its output.
    const isClient = useIsClient();
    const [part, setPart] = useState<Loaded<Props> | { readonly error: unknown } | null>(loaded);
    useEffect(() => {
      if (part === null) fetchCode().then(setPart, (error: unknown) => setPart({ error }));
    }, [part]);
    if (part === null || !isClient) return fallback;
    if ("error" in part) throw part.error;
    return createElement(part.component, props as unknown as Props);
  }
  return Object.assign(Part, { preload });
}

/**
 * A component that loads when it first opens, and then stays. The code of a floating panel is 25 to 60 kB of
 * positioning and focus handling, which no page should load before a panel opens.
 */
export function lazyWhenOpen<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Implementation = lazyPart(load);
  return function LazyWhenOpen(props: Props) {
    const [needed, setNeeded] = useState(props.open);
    if (props.open && !needed) setNeeded(true);
    return needed ? createElement(Implementation, props) : null;
  };
}
