import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import "./toasts.css";

const SHOWN_MS = 6_000;
const manager = Toast.createToastManager();

/** Room for short notices that what was asked for has happened. Screen readers hear them. */
export function Toasts({ children }: { readonly children: React.ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Says that something has happened. */
export function useSay(): (text: string) => void {
  const { add } = Toast.useToastManager();
  return (text) => {
    add({ title: text });
  };
}

/** Removes all messages: the next user of the page is another person. */
export const dismissToasts = (): void => manager.close();

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title className="toast-text" render={<p />} />
      <Toast.Close className="toast-close" aria-label="Dismiss">
        <X size={16} aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}
