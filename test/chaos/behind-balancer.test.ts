import { behindBalancer } from "../../chaos/scenarios/behind-balancer.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(behindBalancer);
