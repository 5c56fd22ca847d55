"use client";
import { useLayoutEffect } from "react";

/** A count before a title, such as that of firing alerts, is not part of the page's name. */
const withoutCount = (title: string): string => title.replace(/^\(\d+\) /, "");

/**
 * Names the browser's tab after the page's subject once it is known, to distinguish tabs and history entries. The
 * router may write its own title at any time, also after this page is shown, so the name is written again until the
 * page is left.
 */
export function usePageTitle(name: string | null): void {
  // A layout effect ends with the page itself, before the next page's title could be mistaken for the router's.
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
