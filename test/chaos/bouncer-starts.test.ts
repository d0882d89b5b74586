import { bouncerStarts } from "../../chaos/scenarios/bouncer-starts.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(bouncerStarts);
