"use client";
import { useLayoutEffect } from "react";

/** Removes a count before the title, such as that of firing alerts, which is not part of the page's name. */
const withoutCount = (title: string): string => title.replace(/^\(\d+\) /, "");

/**
 * Names the browser's tab after the page's subject, to distinguish tabs and history entries. The router may write its
 * own title at any time, even after the page is shown, so the name is written again until the page is left.
 */
export function usePageTitle(name: string | null): void {
  // A layout effect ends together with the page, before the title of the next page could pass for the router's.
  useLayoutEffect(() => {
    if (name === null) return;
    const wanted = `${name} · Stashlight`;
    const write = () => {
      if (withoutCount(document.title) !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [name]);
}
