import type { StatusPage } from "../api/types.gen.ts";
import { counted } from "../report/numbers.ts";
import { Outside } from "../report/outside.tsx";

/** Why lists could not be retrieved: one row for each cause, however many lists have it. */
export function Causes({ causes }: { causes: StatusPage["causes"] }) {
  if (causes.length === 0) return null;
  return (
    <section className="home-section">
      <h2>Downloads that failed</h2>
      <ul className="engine-rows">
        {causes.map(({ reason, count, names, hosts, check }) => (
          <li key={reason}>
            <div>
              <strong>
                <Outside text={reason} most={160} />
              </strong>
              <p className="muted">
                {counted(count, "list")}: <Outside text={names.join("; ")} most={200} />
                {count > names.length ? " and others" : ""}
                {hosts.length === 0 ? null : (
                  <>
                    {" · "}
                    <Outside text={hosts.join(", ")} most={200} />
                  </>
                )}
                {check === null ? null : ` · ${check}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
