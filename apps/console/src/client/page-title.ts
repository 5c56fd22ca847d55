"use client";
import { useLayoutEffect } from "react";

/** A count that stands before a title, such as that of firing alerts, is not part of the page's name. */
const withoutCount = (title: string): string => title.replace(/^\(\d+\) /, "");

/**
 * Names the browser's tab after the thing on the page, once that is known, so that tabs and the history can be told
 * apart. The router writes its own title when it likes, also after this page is shown, so the name is written again
 * until the page is left.
 */
export function usePageTitle(name: string | null): void {
  // A layout effect ends with the page itself, before the next page's title could be taken for the router's.
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
