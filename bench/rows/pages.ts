import { readResponse } from "../../src/enrichment/page/read-response.ts";
import { parseWhois } from "../../src/registry-data/whois/parse-whois.ts";
import type { Row } from "../row.ts";
import { median } from "../statistics.ts";

/** What the outside writes and we read: CPU of one reading, in a warm process. Median of the rounds. */
export const pagesRow: Row = {
  name: "pages",
  measure: async ({ quick, say }) => {
    say("Reading pages and registrations");
    const rounds = quick ? 5 : 15;
    return {
      page_1_mb_ms: cpuOf(rounds, () => read(article(1_000_000))),
      page_5_mb_nested_ms: cpuOf(rounds, () => read("<div>".repeat(1_000_000))),
      whois_1_mb_ms: cpuOf(rounds, () => parseWhois("Status: active\n".repeat(70_000), "example.com")),
    };
  },
};

const read = (html: string) =>
  readResponse({ body: Buffer.from(html), contentType: "text/html", url: "https://www.example.com/page" });

/** A page as people write them: links, pictures, forms and text. */
function article(bytes: number): string {
  const block =
    '<section class="a b"><h2>Heading &amp; more</h2><p>Some words that a person wrote, and <a href="/page/7">a link</a>, ' +
    'and <img src="https://cdn.example.net/p.png" alt="picture">.</p><script>var a = 1;</script></section>\n';
  return `<!doctype html><html lang="en"><title>Article</title><body>${block.repeat(bytes / block.length)}`;
}

/** Milliseconds of processor time of one run. */
function cpuOf(rounds: number, run: () => unknown): number {
  run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}
