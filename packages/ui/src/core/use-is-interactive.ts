"use client";
import { useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/** False on the server and while its page is taken over by the browser, true from then on. */
export const useIsInteractive = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
