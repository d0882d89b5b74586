import { OutsideLink } from "../report/links.tsx";
import { Day } from "../report/moment.tsx";
import { counted } from "../report/numbers.ts";
import { EngineGroups } from "./engine-groups.tsx";
import type { FrameOf } from "./frame.ts";
import { Layout } from "./layout.tsx";

/** Every data set with its publisher, licence and date. */
export function SourcesPage({ frame }: { frame: FrameOf<"sources"> }) {
  const { sets, live } = frame.page;
  return (
    <Layout
      frame={frame}
      title="Sources · Repute"
      description="Every data set that comes with Repute: publisher, licence, date, and what was changed; and the sources asked live."
    >
      <div className="page-head">
        <h1>Sources</h1>
        <p className="muted">
          Repute builds on the work of others. Each data set below comes with it, under its publisher's
          licence. Places and networks: <a href="https://db-ip.com">IP Geolocation by DB-IP</a>.
        </p>
      </div>
      <section className="home-section">
        <h2>Bundled data</h2>
        <ul className="sources">
          {sets.map((set) => (
            <li key={set.name}>
              <div>
                <h3>
                  <OutsideLink href={set.url}>{set.name}</OutsideLink>
                </h3>
                <p className="muted">{set.publisher}</p>
                <p className="muted source-changes">
                  {set.entries === null ? "" : `${counted(set.entries, "entry", "entries")}. `}
                  {set.changes}
                </p>
              </div>
              <span className="licence">{set.licence}</span>
              <span className="muted source-date">
                <Day at={set.date} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="home-section">
        <h2>Engines and allowlists</h2>
        <p className="muted">
          Lists that are retrieved while the service runs, and zones that are asked live.
        </p>
        <EngineGroups engines={live} now={frame.now} />
      </section>
    </Layout>
  );
}
