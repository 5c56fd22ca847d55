import type { ListedUser } from "./columns.tsx";

/** What every dialog about one user is given. */
export interface UserDialogProps {
  user: ListedUser;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
