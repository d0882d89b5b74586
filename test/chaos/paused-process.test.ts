import { pausedProcess } from "../../chaos/scenarios/paused-process.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(pausedProcess);
