import { z } from "zod";

/** Why a registration is unknown, as one text. Source: design 11. */
export const registrationFailure = (error: z.infer<typeof RegistryError>): string =>
  `${error?.code === "timeout" ? "timeout" : "upstream_error"}: ${error?.message ?? "no answer"}`;

/** Why no record type was answered, as one text. Source: design 11. */
export const recordsFailure = (errors: z.infer<typeof RecordErrors>): string =>
  errors.every(({ outcome }) => outcome === "timeout")
    ? "timeout: no record type was answered in time"
    : `upstream_error: no record type was answered: ${errors[0]?.message}`;

/** Why no engine answered, by what became of each, as one text. Source: design 11. */
export const enginesFailure = (absences: z.infer<typeof Absences>): string =>
  absences.every(({ status }) => status === "timeout")
    ? "timeout: no engine answered in time"
    : "upstream_error: no engine answered";

const RegistryError = z.object({ code: z.string(), message: z.string() }).nullable();
const RecordErrors = z.array(z.object({ outcome: z.string(), message: z.string() })).readonly();
const Absences = z.array(z.object({ status: z.string() })).readonly();

/** What an answer of each product holds that says why there is nothing in it; of the view `verdict` nothing does. */
const REASONS = [
  z
    .object({ lookup_status: z.literal("error"), error: RegistryError })
    .transform(({ error }) => registrationFailure(error)),
  z.object({ lookups: z.unknown(), errors: RecordErrors }).transform(({ errors }) => recordsFailure(errors)),
  z
    .object({ blacklists: z.object({ engines_unavailable: Absences }) })
    .transform(({ blacklists }) => enginesFailure(blacklists.engines_unavailable)),
  z
    .object({ blacklists: z.object({ unanswered: z.record(z.string(), z.array(z.string())) }) })
    .transform(({ blacklists }) =>
      enginesFailure(Object.keys(blacklists.unanswered).map((status) => ({ status }))),
    ),
];

/** The same text, read from the `data` of an answer that a service did not charge for. */
export function failureIn(data: unknown): string {
  for (const reason of REASONS) {
    const found = reason.safeParse(data);
    if (found.success) return found.data;
  }
  return "upstream_error: no answer";
}
