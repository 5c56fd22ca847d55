/** Returns true if `href` is the current path or (unless `exact`) a parent of it. */
export function isActivePath(currentPath: string, href: string, exact = false): boolean {
  const target = hrefPath(href);
  const current = hrefPath(currentPath);
  return current === target || (!exact && target !== "/" && current.startsWith(`${target}/`));
}

function hrefPath(href: string): string {
  const path = href.replace(/[?#].*$/, "");
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
