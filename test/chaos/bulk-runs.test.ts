import { bulkRuns } from "../../chaos/scenarios/bulk-runs.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(bulkRuns);
