import { JsonTree } from "./json-tree.tsx";
import { visibleJson } from "./outside-text.ts";

const TREE = "raw-json";

type RawProps = {
  readonly value: unknown;
  /** Paths of what the answer does not know. */
  readonly unknown: readonly string[];
};

/** The answer as it came, for machines and the curious. Hostile signs are shown, not obeyed. */
export const RawJson = ({ value, unknown }: RawProps) => (
  <details className="fold raw">
    <summary>Raw JSON</summary>
    <button type="button" className="button button-quiet" data-copy-json={TREE} hidden>
      Copy JSON
    </button>
    <JsonTree value={value} unknown={unknown} id={TREE} />
  </details>
);

/** The same call as a line for a shell. */
export function CurlLine({ line }: { line: string }) {
  return (
    <details className="fold curl">
      <summary>Copy as curl</summary>
      <ShellLine line={line} />
    </details>
  );
}

/** A line for a shell. A script makes its button work; without one the line is there to be marked. */
export function ShellLine({ line }: { line: string }) {
  return (
    <div className="curl-line">
      <pre>
        <code translate="no">{line}</code>
      </pre>
      <button type="button" className="button button-quiet" data-copy={line} hidden>
        Copy
      </button>
    </div>
  );
}

/** `curl` with a JSON body, quoted for a POSIX shell. */
export function curlOf(url: string, body: object, headers: readonly string[] = []): string {
  const all = [...headers, "Content-Type: application/json"]
    .map((header) => ` -H ${quoted(header)}`)
    .join("");
  return `curl -s ${quoted(url)}${all} -d ${quoted(visibleJson(JSON.stringify(body)))}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
