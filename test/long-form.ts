/** Whether tests of sizes take the size that is promised, or one that shows the same on any machine within seconds. */
export const isLong = process.env["TEST_LONG"] === "1";
