"use client";
import { AppShell, type AppShellProps } from "@stashlight/ui/shell";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  FIRING_REFETCH_MS,
  formatFiringCount,
  severityStatus,
  titleWithCount,
} from "../../client/firing-count.ts";
import { useTRPC } from "../../client/trpc.tsx";

/** Shell that shows the count of firing alerts beside the Alerts link and in the window title. */
export function AlertedShell({ navigation, ...shell }: AppShellProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.alert.countFiring.queryOptions(undefined, { refetchInterval: FIRING_REFETCH_MS }),
  );
  const causeCount = data?.causeCount ?? 0;
  useCountInTitle(causeCount);
  const badge =
    data === undefined || data.worst === null
      ? undefined
      : {
          text: String(causeCount),
          status: severityStatus[data.worst],
          description: formatFiringCount(causeCount),
        };
  return (
    <AppShell
      {...shell}
      navigation={navigation.map((group) => ({
        ...group,
        items: group.items.map((item) => (item.href === "/alerts" ? { ...item, badge } : item)),
      }))}
    />
  );
}

/** Adds the count to the page's own title, which is set after the page is rendered. */
function useCountInTitle(causeCount: number): void {
  useEffect(() => {
    const write = () => {
      const titled = titleWithCount(document.title, causeCount);
      if (document.title !== titled) document.title = titled;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [causeCount]);
}
