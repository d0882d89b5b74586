import { bouncers } from "../../chaos/scenarios/bouncers.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(bouncers);
