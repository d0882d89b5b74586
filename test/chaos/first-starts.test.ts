import { firstStarts } from "../../chaos/scenarios/first-starts.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(firstStarts);
