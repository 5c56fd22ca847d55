/** Whether an event happened on the element or within it. */
export function isInside(element: Element | null, event: Event): boolean {
  return element !== null && event.target instanceof Node && element.contains(event.target);
}
