"use client";
import { Menu as MenuIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Wordmark } from "../brand/logo.tsx";
import { lazyWhenOpen } from "../core/lazy.tsx";
import { UiLink } from "../core/provider.tsx";
import { Button } from "../form/button.tsx";
import type { DrawerProps } from "./drawer.tsx";
import { CountBadge, Navigation, type NavigationGroup } from "./navigation.tsx";

export type { NavigationGroup, NavigationItem } from "./navigation.tsx";

export type AppShellProps = {
  navigation: readonly NavigationGroup[];
  currentPath: string;
  homeHref?: string;
  /** Replaces the wordmark. */
  brand?: ReactNode;
  /** The button that opens the command palette. */
  search?: ReactNode;
  userMenu?: ReactNode;
  /** Foot of the navigation: theme and version. */
  footer?: ReactNode;
  /** Banner across the top of the page for a problem every user must see. */
  banner?: ReactNode;
  children: ReactNode;
};

const loadDrawer = async () => (await import("./drawer.tsx")).Drawer;
const Drawer = lazyWhenOpen<DrawerProps>(loadDrawer);

export function AppShell(props: AppShellProps) {
  const { banner, children } = props;
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[224px_minmax(0,1fr)] print:block">
      <a
        href="#main"
        data-print="hide"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <SideBar {...props} />
      <TopBar {...props} />
      <div className="flex min-w-0 flex-col">
        {banner}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}

function Brand({ brand, homeHref = "/" }: AppShellProps) {
  return (
    <UiLink
      href={homeHref}
      aria-label="Stashlight, home"
      className="inline-flex rounded-sm px-2 no-underline"
    >
      {brand ?? <Wordmark />}
    </UiLink>
  );
}

function SideBar(props: AppShellProps) {
  const { navigation, currentPath, search, userMenu, footer } = props;
  return (
    <div
      data-print="hide"
      className="sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-canvas p-3 md:flex"
    >
      <header className="flex flex-col gap-4">
        <div className="flex h-8 items-center">
          <Brand {...props} />
        </div>
        {search}
      </header>
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 py-1">
        <Navigation groups={navigation} currentPath={currentPath} />
      </div>
      <footer className="flex flex-col gap-2">
        {userMenu}
        <Foot>{footer}</Foot>
      </footer>
    </div>
  );
}

function Foot({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-faint">{children}</div>
  );
}

function TopBar(props: AppShellProps) {
  const { navigation, currentPath, search, userMenu, footer } = props;
  // The drawer belongs to the page it was opened on, so navigating closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === currentPath;
  const badge = navigation.flatMap(({ items }) => items).find((item) => item.badge)?.badge;
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 flex h-12 items-center justify-between gap-2 border-b border-line bg-canvas px-2 md:hidden"
    >
      <span className="relative">
        <Button
          variant="quiet"
          aria-label="Open navigation"
          aria-description={badge?.description}
          aria-haspopup="dialog"
          aria-expanded={open}
          icon={<MenuIcon aria-hidden="true" />}
          onPointerEnter={loadDrawer}
          onClick={() => setOpenAt(currentPath)}
          className="size-10"
        />
        {/* Repeats the first badge of the navigation, which is hidden in the drawer. */}
        {badge && <CountBadge badge={badge} className="pointer-events-none absolute -top-1 left-6" />}
      </span>
      <Drawer
        title="Navigation"
        open={open}
        onOpenChange={(next) => setOpenAt(next ? currentPath : null)}
        brand={<Brand {...props} />}
      >
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Navigation groups={navigation} currentPath={currentPath} onNavigate={() => setOpenAt(null)} />
        </div>
        {userMenu}
        <Foot>{footer}</Foot>
      </Drawer>
      <Brand {...props} />
      <div className="flex justify-end [&_button]:h-10">{search}</div>
    </header>
  );
}
