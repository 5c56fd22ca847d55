"use client";
import { Dialog as Primitive } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { cx } from "../core/cx.ts";
import { backdropClass } from "../core/popup.ts";
import { Button } from "../form/button.tsx";
import { Field } from "../form/field.tsx";
import { FormError } from "../form/form-error.tsx";
import { TextInput } from "../form/inputs.tsx";
import type { ConfirmDialogProps, DialogProps } from "./dialog.tsx";

const widthClass = { sm: "max-w-sm", md: "max-w-lg", lg: "max-w-3xl" };

export function DialogPanel(props: DialogProps) {
  const { open, onOpenChange, title, description, footer, children, size = "md", initialFocus } = props;
  const body = useRef<HTMLDivElement>(null);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Primitive.Portal>
        <Primitive.Backdrop className={backdropClass} />
        <Primitive.Viewport className="fixed inset-0 z-50 grid place-items-center overflow-y-auto p-4">
          <Primitive.Popup
            initialFocus={initialFocus ?? (() => firstField(body.current) ?? true)}
            className={cx(
              "flex max-h-[calc(100dvh-2rem)] w-full min-w-0 flex-col rounded-md border border-line-strong bg-surface text-ink shadow-overlay outline-none",
              "transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0",
              widthClass[size],
            )}
          >
            <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
              <div className="min-w-0">
                <Primitive.Title className="text-lg font-semibold wrap-anywhere">{title}</Primitive.Title>
                {description && (
                  <Primitive.Description className="mt-0.5 text-md text-muted">
                    {description}
                  </Primitive.Description>
                )}
              </div>
              <Primitive.Close
                render={
                  <Button variant="quiet" size="sm" aria-label="Close" icon={<X aria-hidden="true" />} />
                }
              />
            </div>
            {children && <DialogBody body={body}>{children}</DialogBody>}
            {footer && (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</div>
            )}
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Focuses the first field of a form rather than the close button, because the user opened the dialog to fill it in. */
const firstField = (body: HTMLElement | null): HTMLElement | null =>
  body?.querySelector<HTMLElement>(
    "form :is(input:not([type=hidden]), select, textarea, [role=combobox]):not(:disabled, [aria-hidden=true])",
  ) ?? null;

/** A dialog that scrolls but has no focusable control takes the focus itself. */
function DialogBody({ body, children }: { body: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  const [isReached, setReached] = useState(true);
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return;
    const isShort = element.scrollHeight <= element.clientHeight;
    setReached(
      isShort || element.querySelector("a[href], button, input, select, summary, textarea") !== null,
    );
  }, [body, children]);
  return (
    <div
      ref={body}
      tabIndex={isReached ? undefined : 0}
      className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 text-md -outline-offset-2"
    >
      {children}
    </div>
  );
}

export function ConfirmPanel(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, confirmLabel, confirmText, danger = true } = props;
  const formId = useId();
  const [pending, setPending] = useState(false);
  const change = (next: boolean) => {
    if (!pending) onOpenChange(next);
  };
  return (
    <DialogPanel
      open={open}
      onOpenChange={change}
      title={title}
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant={danger ? "danger" : "primary"} pending={pending}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <ConfirmForm key={confirmText} id={formId} setPending={setPending} {...props} />
    </DialogPanel>
  );
}

function ConfirmForm(props: ConfirmDialogProps & { id: string; setPending: (pending: boolean) => void }) {
  const { id, consequence, confirmText, onConfirm, onOpenChange, describeError, setPending } = props;
  const [typed, setTyped] = useState("");
  const [mismatch, setMismatch] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (confirmText !== undefined && typed.trim() !== confirmText) {
      setMismatch(true);
      return;
    }
    setPending(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(
        describeError?.(error) ?? (error instanceof Error ? error.message : "The action failed. Try again."),
      );
    } finally {
      setPending(false);
    }
  };
  return (
    <form id={id} onSubmit={submit} className="flex flex-col gap-4">
      <div className="text-muted">{consequence}</div>
      {confirmText !== undefined && (
        <Field
          label={
            <>
              Type <code className="font-mono text-sm select-all">{confirmText}</code> to confirm
            </>
          }
          error={mismatch ? `The text does not match: type ${confirmText} exactly.` : undefined}
        >
          <TextInput
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value);
              setMismatch(false);
            }}
          />
        </Field>
      )}
      <FormError>{failure}</FormError>
    </form>
  );
}
