"use client";
import { type Principal, roleIncludes } from "@stashlight/contracts/user";
import { chooseTimeZone, lazyWhenOpen, noteServerTime, ThemeSwitch } from "@stashlight/ui";
import { CommandButton, useKeysAhead } from "@stashlight/ui/command-palette";
import { Button } from "@stashlight/ui/form";
import { KeyboardHelp } from "@stashlight/ui/keyboard-help";
import { Menu } from "@stashlight/ui/menu";
import { useShortcuts } from "@stashlight/ui/shortcuts";
import { ToastProvider } from "@stashlight/ui/toast";
import { BookOpenText, CircleUser, Keyboard, KeyRound, LogOut } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { Fragment, type ReactNode, useState } from "react";
import { useChosenSearch } from "../../client/metrics/chosen-search.ts";
import { signOut } from "../../client/sign-in.ts";
import { ApiProvider, stopAsking } from "../../client/trpc.tsx";
import { AlertedShell } from "./alerted-shell.tsx";
import { ClockNotice } from "./clock-notice.tsx";
import { type ConsolePage, consolePages, navigationGroups } from "./pages.tsx";

const ConsolePalette = lazyWhenOpen(async () => (await import("./console-palette.tsx")).ConsolePalette);

interface ConsoleShellProps {
  principal: Principal;
  /** Server time when the page was rendered. */
  serverTimeMs: number;
  version: string;
  /** Link to the Overview for readers whose start page is a dashboard. */
  overviewHref: string;
  children: ReactNode;
}

/**
 * Difference between the clocks that is more than the age of a page. API answers, which soon follow, report the
 * server's time exactly.
 */
const PAGE_AGE_MS_MAX = 5 * 60_000;

function noteTimeOfPage(serverTimeMs: number): void {
  const isClient = typeof window !== "undefined";
  if (isClient && Math.abs(serverTimeMs - Date.now()) > PAGE_AGE_MS_MAX) noteServerTime(serverTimeMs);
}

/** True if a page with its own navigation item is below this one. */
const hasPagesBelow = (href: string): boolean =>
  consolePages.some((page) => page.href !== href && page.href.startsWith(href === "/" ? "/" : `${href}/`));

async function leave() {
  stopAsking();
  await signOut();
  location.assign("/sign-in");
}

export function ConsoleShell({
  principal,
  serverTimeMs,
  version,
  overviewHref,
  children,
}: ConsoleShellProps) {
  // Set before anything prints a time, because a change of the zone reprints every time.
  chooseTimeZone(principal.timeZone);
  useState(() => noteTimeOfPage(serverTimeMs));
  const router = useRouter();
  const pathname = usePathname();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const pages = consolePages.filter((page) => roleIncludes(principal.role, page.role));
  const { timeAndScope, scope } = useChosenSearch();
  const pageHref = ({ href, showsTime }: ConsolePage) =>
    `${href === "/" ? overviewHref : href}${showsTime ? timeAndScope : scope}`;
  const takeKeysAhead = useKeysAhead(paletteOpen);
  const openPalette = () => setPaletteOpen(true);
  useShellShortcuts({
    pages,
    onGo: (page) => router.push(pageHref(page)),
    onSearch: openPalette,
    onHelp: () => setHelpOpen(true),
  });
  return (
    <ApiProvider>
      <ToastProvider>
        <AlertedShell
          currentPath={pathname}
          homeHref="/"
          navigation={buildNavigation(pages, pageHref)}
          banner={<ClockNotice />}
          search={<CommandButton onClick={openPalette} />}
          userMenu={<UserMenu principal={principal} onHelp={() => setHelpOpen(true)} />}
          footer={
            <>
              <ThemeSwitch compact />
              <span className="pr-2">Stashlight {version}</span>
            </>
          }
        >
          <Fragment key={principal.timeZone}>{children}</Fragment>
        </AlertedShell>
        <ConsolePalette
          pages={pages}
          overviewHref={overviewHref}
          open={paletteOpen}
          onOpenChange={setPaletteOpen}
          takeKeysAhead={takeKeysAhead}
          onGo={(page) => router.push(pageHref(page))}
          onGoTo={(href) => router.push(href)}
          mayLocate={roleIncludes(principal.role, "operator")}
          onHelp={() => setHelpOpen(true)}
          onLeave={() => void leave()}
        />
        <KeyboardHelp open={helpOpen} onOpenChange={setHelpOpen} />
      </ToastProvider>
    </ApiProvider>
  );
}

/** Leaves out groups that have no page for the reader's role. */
const buildNavigation = (pages: readonly ConsolePage[], addressOf: (page: ConsolePage) => string) =>
  navigationGroups
    .map((group) => ({
      id: group,
      label: group,
      items: pages
        .filter((page) => page.group === group)
        .map((page) => ({
          href: addressOf(page),
          label: page.label,
          icon: page.icon,
          exact: hasPagesBelow(page.href),
        })),
    }))
    .filter((group) => group.items.length > 0);

interface ShellShortcuts {
  readonly pages: readonly ConsolePage[];
  readonly onGo: (page: ConsolePage) => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

function useShellShortcuts({ pages, onGo, onSearch, onHelp }: ShellShortcuts): void {
  useShortcuts([
    ...pages.map((page) => ({
      keys: page.shortcut,
      label: `Go to ${page.label.toLowerCase()}`,
      group: "Navigation",
      run: () => onGo(page),
    })),
    { keys: "mod+k", label: "Search everything", group: "General", run: onSearch },
    { keys: "?", label: "Show keyboard shortcuts", group: "General", run: onHelp },
  ]);
}

function UserMenu({ principal, onHelp }: { principal: Principal; onHelp: () => void }) {
  const router = useRouter();
  return (
    <Menu
      label="Your account"
      side="top"
      align="start"
      trigger={
        <Button
          variant="quiet"
          icon={<CircleUser />}
          aria-label={`Account of ${principal.name}`}
          className="w-full !justify-start"
        >
          {principal.name}
        </Button>
      }
      header={`${principal.email} · ${principal.role}`}
      items={[
        {
          id: "settings",
          label: "Your settings",
          icon: <CircleUser />,
          onSelect: () => router.push("/settings"),
        },
        {
          id: "api-tokens",
          label: "API tokens",
          icon: <KeyRound />,
          onSelect: () => router.push("/settings/api-tokens"),
        },
        {
          id: "glossary",
          label: "Glossary",
          icon: <BookOpenText />,
          onSelect: () => router.push("/help/glossary"),
        },
        { id: "help", label: "Keyboard shortcuts", icon: <Keyboard />, onSelect: onHelp },
        { id: "line", separator: true },
        { id: "sign-out", label: "Sign out", icon: <LogOut />, onSelect: () => void leave() },
      ]}
    />
  );
}
