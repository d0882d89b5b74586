import { valkeyAway } from "../../chaos/scenarios/valkey.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(valkeyAway);
