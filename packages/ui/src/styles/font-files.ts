/** Address of the main text font for pages to preload, so that it is ready before the first line is drawn. */
export const textFontHref = new URL(
  "../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  import.meta.url,
).href;
