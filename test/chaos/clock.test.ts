import { clockJumps } from "../../chaos/scenarios/clock.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(clockJumps);
