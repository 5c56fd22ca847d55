"use client";
import { AppShell, type AppShellProps } from "@stashlight/ui/shell";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatFiringCount, severityStatus, titleWithCount } from "../../client/firing-count.ts";
import { useTRPC } from "../../client/trpc.tsx";

/** As often as rules are evaluated. */
const refetchMs = 15_000;

/** The shell with the count of what fires at the link to the alerts and in the title of the window. */
export function AlertedShell({ navigation, ...shell }: AppShellProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alert.countFiring.queryOptions(undefined, { refetchInterval: refetchMs }));
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

/** Each page has a title of its own, which comes after the page; the count is put before whatever it is. */
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
