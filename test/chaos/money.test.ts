import { money, moneyOnPostgres } from "../../chaos/scenarios/money.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(money);
testScenario(moneyOnPostgres);
