import { revokedTokens } from "../../chaos/scenarios/revoked-tokens.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(revokedTokens);
