import { postgresAway } from "../../chaos/scenarios/postgres.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(postgresAway);
