import { slowDatabase } from "../../chaos/scenarios/slow-database.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(slowDatabase);
