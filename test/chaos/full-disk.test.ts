import { fullDisk } from "../../chaos/scenarios/full-disk.ts";
import { testScenario } from "./chaos-test.ts";

testScenario(fullDisk);
