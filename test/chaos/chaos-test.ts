import { expect, test } from "vitest";
import { createGround } from "../../chaos/ground.ts";
import { whyNot } from "../../chaos/needs.ts";
import { createFindings, type Scenario } from "../../chaos/scenario.ts";
import { putSnapshots } from "../prepared-snapshots.ts";

/** The short form of a scenario as a test; where something is missing, it is skipped and says what. */
export function testScenario({ name, what, needs, run }: Scenario): void {
  const reason = whyNot(needs);
  if (reason !== null) {
    test.skip(`${name}: ${what} (${reason})`, () => undefined);
    return;
  }
  test(`${name}: ${what}`, { timeout: 240_000 }, async () => {
    const ground = await createGround({ putSnapshots, say: () => undefined });
    const findings = createFindings();
    try {
      await run(ground, findings, true);
    } finally {
      await ground.close();
    }
    expect(findings.faults, JSON.stringify(findings.figures)).toEqual([]);
  });
}
