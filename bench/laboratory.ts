import { chooseCpus } from "./processes.ts";
import { createWorld, type World } from "./world.ts";

/** What every row may use. */
export type Laboratory = {
  /** Fewer and shorter rounds over smaller lists. */
  readonly quick: boolean;
  /** Entries of the 60 lists in all. */
  readonly entryCount: number;
  /** An empty folder on a disk that really syncs. */
  readonly dir: string;
  readonly cpus: { readonly server: number | null; readonly load: number | null };
  /** The installation with 60 lists, made when first asked for. */
  readonly world: () => Promise<World>;
  /** Says on standard error what is being done. */
  readonly say: (text: string) => void;
  readonly close: () => Promise<void>;
};

/** Entries of the 60 lists in all. */
export const entryCountOf = (quick: boolean): number => (quick ? 400_000 : 2_000_000);

/** A laboratory in `dir`. */
export function createLaboratory(dir: string, quick: boolean, say: (text: string) => void): Laboratory {
  let world: Promise<World> | null = null;
  const entryCount = entryCountOf(quick);
  return {
    quick,
    entryCount,
    dir,
    cpus: chooseCpus(),
    say,
    world: () => {
      if (world === null) say(`Writing 60 lists with ${entryCount.toLocaleString("en")} entries`);
      world ??= createWorld(dir, entryCount);
      return world;
    },
    close: async () => {
      if (world !== null) await (await world).close();
    },
  };
}
