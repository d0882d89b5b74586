/** Something of each table that a snapshot of routes is made of; null: the table is not there. */
export type RouteContents<T> = { readonly v4: T | null; readonly v6: T | null; readonly names: T | null };

/** The same of something else; what is not there stays away. */
export const mapContents = <A, B>(
  { v4, v6, names }: RouteContents<A>,
  change: (one: A) => B | null,
): RouteContents<B> => ({
  v4: v4 === null ? null : change(v4),
  v6: v6 === null ? null : change(v6),
  names: names === null ? null : change(names),
});
