export { noteServerTime, serverNow } from "./core/clock.ts";
export { cx } from "./core/cx.ts";
export {
  type ByteSystem,
  formatAge,
  formatBytes,
  formatCount,
  formatDateTime,
  formatElapsed,
  formatPeriod,
  formatSpan,
  MISSING,
} from "./core/format.ts";
export { lazyPart, lazyWhenOpen } from "./core/lazy.tsx";
export { UiLink, type UiLinkProps, UiProvider } from "./core/provider.tsx";
export type { Status } from "./core/status.ts";
export { setTheme, type Theme } from "./core/theme.ts";
export { themeScript } from "./core/theme-script.ts";
export { ThemeSwitch } from "./core/theme-switch.tsx";
export { chooseTimeZone, chosenTimeZone, readWallClock, utcOffsetMs } from "./core/time-zone.ts";
export { useClockOffset, useIsClient, useNow } from "./core/use-now.ts";
