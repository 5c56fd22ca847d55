import type { ListedUser } from "./columns.tsx";

/** Props of every dialog about one user. */
export interface UserDialogProps {
  user: ListedUser;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
