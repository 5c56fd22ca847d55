interface ChangeDetails {
  readonly reason: string;
  readonly event: Event;
  cancel: () => void;
}

/** Passes on that a panel opens or closes; a press on the button that opened it is that button's own to answer. */
export const exceptPressOn =
  (anchor: Element | null, onOpenChange: (open: boolean) => void) =>
  (open: boolean, { reason, event, cancel }: ChangeDetails): void => {
    const isOnAnchor = event.target instanceof Node && anchor?.contains(event.target);
    if (!open && reason === "outside-press" && isOnAnchor) cancel();
    else onOpenChange(open);
  };
