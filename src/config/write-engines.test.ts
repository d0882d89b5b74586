import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { whyNot } from "../../chaos/needs.ts";
import { ConfigError } from "./config-error.ts";
import { parseConfigText } from "./read-file.ts";
import { withEngines, writeEngines } from "./write-engines.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-write-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = `# Ours, since 2024
server:
  public_url: https://rep.example # behind the balancer
engines:
  # what legal has agreed to
  enable:
    - openphish # mail of 3 May
  disable: [spamcop, psbl]
dns: { timeout_ms: 500 }
`;

describe("withEngines()", () => {
  test("adds what is not there, takes it out of disable, and keeps comments and order", () => {
    const text = withEngines(TEXT, { enable: ["openphish", "psbl"], accept: "low_volume" });
    expect(text).toContain("# Ours, since 2024");
    expect(text).toContain("https://rep.example # behind the balancer");
    expect(text).toContain("# what legal has agreed to");
    expect(text).toContain("- openphish # mail of 3 May\n    - psbl\n");
    expect(text.indexOf("engines:")).toBeLessThan(text.indexOf("dns:"));
    const { engines } = parseConfigText(text, "repute.yaml");
    expect(engines).toMatchObject({
      enable: ["openphish", "psbl"],
      disable: ["spamcop"],
      accept: ["low_volume"],
    });
    expect(withEngines(text, { enable: ["psbl"], accept: "low_volume" })).toBe(text);
  });

  test.each(["", "# nothing yet\n", "dns: {}\n", "engines: {}\n", "engines:\n  enable: []\n"])(
    "works on %j",
    (text) => {
      const after = withEngines(text, { enable: ["openphish"], accept: null });
      expect(parseConfigText(after, "repute.yaml").engines.enable).toEqual(["openphish"]);
      if (text.startsWith("#")) expect(after).toContain("# nothing yet");
    },
  );

  test.each(["engines: [a]\n", "engines:\n  enable: openphish\n"])("refuses %j", (text) => {
    expect(() => withEngines(text, { enable: ["psbl"], accept: null })).toThrow(ConfigError);
  });
});

describe("entries of the operator's own", () => {
  const OWN = `engines:
  disable: [mine, spamcop]
  feeds:
    # ours
    - { key: mine, url: "https://l.example/a", enabled: false }
    - key: other # theirs
      enabled: false
  dnsbl:
    - { key: zone, zone: bl.example, enabled: false }
`;
  test.each(["mine", "other", "zone"])("%s is switched on in its entry, and the others stay", (key) => {
    const text = withEngines(OWN, { enable: [key], accept: null });
    const { engines } = parse(text);
    const entries: { key: string; enabled?: boolean }[] = [...engines.feeds, ...engines.dnsbl];
    expect(entries.filter(({ enabled }) => enabled === undefined).map((entry) => entry.key)).toEqual([key]);
    expect(engines.enable).toBeUndefined();
    expect(engines.disable).toEqual(key === "mine" ? ["spamcop"] : ["mine", "spamcop"]);
    expect(text).toContain("# ours");
    expect(text).toContain("# theirs");
  });

  test("built-in engines beside them get their line", () => {
    const { engines } = parse(withEngines(OWN, { enable: ["psbl", "zone"], accept: null }));
    expect(engines.enable).toEqual(["psbl"]);
  });
});

describe("writeEngines()", () => {
  test("keeps the permissions and the link of the file", async () => {
    const real = join(folder, "real.yaml");
    const link = join(folder, "repute.yaml");
    writeFileSync(real, TEXT);
    chmodSync(real, 0o640);
    symlinkSync(real, link);
    await writeEngines(link, { enable: ["psbl"], accept: null });
    expect(readFileSync(link, "utf8")).toContain("- psbl");
    expect(statSync(real).mode & 0o777).toBe(0o640);
  });

  test.runIf(process.getuid?.() === 0)(
    "keeps the owner of the file: the service may run as that user",
    async () => {
      const path = join(folder, "owned.yaml");
      writeFileSync(path, TEXT);
      chmodSync(path, 0o640);
      chownSync(path, 4711, 4712);
      await writeEngines(path, { enable: ["psbl"], accept: null });
      expect(statSync(path)).toMatchObject({ uid: 4711, gid: 4712, mode: 0o100640 });
      expect(readFileSync(path, "utf8")).toContain("- psbl");
    },
  );

  test.runIf(whyNot(["namespace"]) === null)(
    "writes over a file that is mounted by itself, as into a container",
    async () => {
      const path = join(folder, "mounted.yaml");
      writeFileSync(path, TEXT);
      const program = `import(${JSON.stringify(new URL("write-engines.ts", import.meta.url).href)})
      .then(({ writeEngines }) => writeEngines(process.argv[1], { enable: ["psbl"], accept: null }))`;
      const script = 'mount --bind "$1" "$1" && exec "$0" -e "$2" "$1"';
      execFileSync("unshare", ["-m", "sh", "-c", script, process.execPath, path, program]);
      expect(readFileSync(path, "utf8")).toContain("- psbl");
      expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^mounted\.yaml./));
    },
  );

  test("changes nothing when the file would be refused", async () => {
    const path = join(folder, "bad.yaml");
    writeFileSync(path, "engines:\n  enable: [a]\ncolour: red\n");
    await expect(writeEngines(path, { enable: ["psbl"], accept: null })).rejects.toThrow(
      "colour: unknown key",
    );
    expect(readFileSync(path, "utf8")).not.toContain("psbl");
  });
});
