/** Address of the font of nearly all text, for pages to preload: it is then there before the first line is drawn. */
export const textFontHref = new URL(
  "../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  import.meta.url,
).href;
