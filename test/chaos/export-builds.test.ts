import { exportBuilds } from "../../chaos/scenarios/export-builds.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(exportBuilds);
