interface ChangeDetails {
  readonly reason: string;
  readonly event: Event;
  cancel: () => void;
}

/**
 * Reports a panel's opening and closing, except a closing by a press on its own button, which the
 * button handles.
 */
export const exceptPressOn =
  (anchor: Element | null, onOpenChange: (open: boolean) => void) =>
  (open: boolean, { reason, event, cancel }: ChangeDetails): void => {
    const isOnAnchor = event.target instanceof Node && anchor?.contains(event.target);
    if (!open && reason === "outside-press" && isOnAnchor) cancel();
    else onOpenChange(open);
  };
