/** Longest value that stands in a path; the router takes 200 characters. */
const MAX_SEGMENT = 150;

/** Whether a value can be a segment of a path: no slash, which proxies change, and no dots alone, which they resolve. */
const isSegment = (value: string): boolean => value.length <= MAX_SEGMENT && !/[/\\]|^\.{1,2}$/.test(value);

/** Address of a tool's report, to be shared. `web/report/environment.tsx` makes the same. */
export function toolPath(tool: string, value: string, recordType = ""): string {
  if (value === "") return `/tools/${tool}`;
  const encoded = encodeURIComponent(value.toWellFormed());
  const isInPath = tool !== "url" && isSegment(value);
  const query = [
    ...(isInPath ? [] : [`q=${encoded}`]),
    ...(recordType === "" ? [] : [`type=${encodeURIComponent(recordType)}`]),
  ];
  const path = isInPath ? `/tools/${tool}/${encoded}` : `/tools/${tool}`;
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}
