import type { ReactNode } from "react";
import { Wordmark } from "../brand/logo.tsx";

/** Page for visitors who are not signed in: sign-in, set-up, invitation. */
export function AuthCard(props: {
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const { title, description, footer, children } = props;
  return (
    <main
      id="main"
      className="grid min-h-dvh grid-rows-[1fr_auto_1.4fr] justify-items-center bg-[radial-gradient(var(--line)_1px,transparent_1px)] bg-size-[24px_24px] px-4 py-8"
    >
      <div className="row-start-2 flex w-full max-w-[400px] flex-col items-center gap-6">
        <Wordmark size={26} />
        <div className="w-full rounded-md border border-line bg-surface p-5 text-md sm:p-7">
          <h1 className="text-lg font-semibold tracking-[-0.01em] text-ink">{title}</h1>
          {description && <div className="mt-1 text-pretty text-muted">{description}</div>}
          <div className="mt-5">{children}</div>
        </div>
        {footer && <div className="bg-canvas px-2 text-center text-base text-muted">{footer}</div>}
      </div>
    </main>
  );
}
