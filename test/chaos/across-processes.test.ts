import { acrossProcesses, processesKilled } from "../../chaos/scenarios/across-processes.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(acrossProcesses);
testScenario(processesKilled);
