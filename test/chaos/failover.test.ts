import { failover } from "../../chaos/scenarios/failover.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(failover);
