import { exportDownloads } from "../../chaos/scenarios/export-downloads.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(exportDownloads);
