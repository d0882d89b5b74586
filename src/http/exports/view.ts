import type { z } from "zod";
import { isoSeconds, isoSecondsOrNull } from "../../base/clock.ts";
import type { ExportShelf } from "../../exports/shelf.ts";
import type { ExportView, OwnExportsView } from "../dashboard/export-shapes.ts";

type View = z.output<typeof ExportView>;
type OwnersView = z.output<typeof OwnExportsView>["exports"][number];

/** Exports as the pages of owners show them, with who fetched them and their bouncers. */
export const ownersExportViews = (shelf: ExportShelf): OwnersView[] =>
  exportViews(shelf, shelf.names).map((view) => ({
    ...view,
    fetches: [...shelf.fetches.of(view.name)],
    bouncers: bouncersOf(shelf, view.name),
  }));

const bouncersOf = (shelf: ExportShelf, name: string): OwnersView["bouncers"] =>
  shelf.bouncersOf(name).map(({ token, address, userAgent, at, generation, notEnforceable }) => ({
    ...{ token, address, user_agent: userAgent, generation },
    ...{ last_answer_at: isoSeconds(at), not_enforceable: notEnforceable },
  }));

/** Exports as `GET /api/exports` shows them; names that there are not are left out. */
export const exportViews = (shelf: ExportShelf, names: readonly string[]): View[] =>
  names.flatMap((name) => viewOf(shelf, name) ?? []);

function viewOf(shelf: ExportShelf, name: string): View | null {
  const standing = shelf.find(name);
  if (standing === null) return null;
  const { options, facts, checkedAt, held, fault, closed } = standing;
  return {
    name,
    kind: options.kind,
    target: options.target,
    served: closed === null,
    closed_reason: closed,
    checked_at: isoSecondsOrNull(checkedAt),
    held,
    fault,
    generation: facts?.generation ?? null,
    made_at: facts?.made_at ?? null,
    entries: facts?.entries ?? null,
    ipv4_entries: facts?.ipv4_entries ?? null,
    ipv6_entries: facts?.ipv6_entries ?? null,
    challenged_entries: facts?.challenged_entries ?? null,
    min_score: facts?.min_score ?? options.min_score,
    policy: options.policy,
    cut_by_limit: facts?.cut_by_limit ?? null,
    subtracted: facts?.subtracted ?? null,
    promoted_addresses: facts?.promoted_addresses ?? null,
    sources: facts?.sources ?? [],
    not_exportable: facts?.not_exportable ?? [],
    formats: shelf.formatsOf(name).map(({ format, title, body }) => ({
      format,
      title,
      bytes: body?.bytes ?? null,
      gzip_bytes: body?.gzip_bytes ?? null,
      sha256: body?.sha256 ?? null,
      dropped: body?.dropped ?? null,
    })),
  };
}
