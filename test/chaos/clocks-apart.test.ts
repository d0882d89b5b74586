import { clocksApart } from "../../chaos/scenarios/clocks-apart.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(clocksApart);
