import { idleConnections, slowloris } from "../../chaos/scenarios/connections.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(idleConnections);
testScenario(slowloris);
