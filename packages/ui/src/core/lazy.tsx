"use client";
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";
import { useIsClient } from "./use-now.ts";

interface LazyProps {
  /** This holds its place until its code is there. */
  readonly fallback?: ReactNode;
}

type LazyPart<Props> = ComponentType<Props & LazyProps> & {
  /** Fetches the code now: as a file runs, which is before its page is alive, or while answers are on their way. */
  readonly preload: () => void;
};

interface Loaded<Props> {
  readonly component: ComponentType<Props>;
}

/**
 * A component whose code is fetched beside the page instead of before it. It takes the place of `React.lazy` in a Suspense
 * boundary, because React shows what a boundary waited for no sooner than 300 ms after it showed that of another one, so
 * that figures which had arrived stayed hidden. A failed fetch is an error of the component, and mounting it again tries
 * again.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: Loaded<Props> | null = null;
  const fetchCode = async (): Promise<Loaded<Props>> => {
    loaded = { component: await load() };
    return loaded;
  };
  // Who mounts it is told why it failed.
  const preload = (): void => void fetchCode().catch(() => {});

  function Part({ fallback = null, ...props }: Props & LazyProps) {
    // The server has the code at once, and the page must not differ from what the server drew.
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
 * A component that is fetched the first time it opens and stays from then on. Floating panels bring 25 to 60 kB of
 * positioning and focus code, which no page should load before someone opens one.
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
