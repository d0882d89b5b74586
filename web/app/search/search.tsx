import { Search as Glass } from "lucide-react";
import { createContext, lazy, Suspense, useCallback, useContext, useEffect, useState } from "react";
import { useSearchShortcut } from "./shortcut.ts";
import "./search.css";

const load = () => import("./search-dialog.tsx");
const SearchDialog = lazy(async () => ({ default: (await load()).SearchDialog }));

const Open = createContext<() => void>(() => undefined);

/** The search of every page: its keys, its dialog, and what its buttons inside open. */
export function Search({ children }: { readonly children: React.ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  useSearchShortcut(open);
  // Loaded behind the page, so that what is typed after the key is not lost. Where it cannot be, opening tries again.
  useEffect(() => void load().catch(() => undefined), []);
  return (
    <Open value={open}>
      {children}
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </Open>
  );
}

/** Opens the search, and names its key. */
export function SearchButton() {
  const open = useContext(Open);
  return (
    <button
      type="button"
      className="search-button"
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K Meta+K"
      onClick={open}
    >
      <Glass size={17} aria-hidden="true" />
      Find
      <span className="search-key" aria-hidden="true">
        /
      </span>
    </button>
  );
}
