export { Spinner } from "../core/spinner.tsx";
export { Callout } from "./callout.tsx";
export { ProgressBar, Skeleton } from "./progress.tsx";
export { EmptyState, ErrorState, type ErrorStateProps } from "./states.tsx";
export { Badge, StatusDot, StatusShape } from "./status.tsx";
