import { tenants, tenantsOnPostgres } from "../../chaos/scenarios/tenants.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(tenants);
testScenario(tenantsOnPostgres);
