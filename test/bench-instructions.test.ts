import { expect, test } from "vitest";
import { namesOf, readProfile } from "../bench/instructions/profile.ts";

const list = [
  "10000000a0 40 JS:~old file:///home/repute/src/a.ts:1:2",
  "10000000a0 40 JS:*'caller file:///home/repute/src/a.ts:1:2",
  "10000000b0 40 JS:+called /home/repute/node_modules/p/index.js:3:4",
].join("\n");

// `caller` takes 10 itself and calls `native`, which takes 20 itself and 30 in `helper`, and calls `called` with 40.
const dump = `
fn=(1) 0x00000010000000a0
0 10
cfn=(2) native
calls=1 0
0 90
fn=(2)
+1 20
cfn=(3) helper
calls=2 0
* 30
cfn=(4) 0x00000010000000b0'2
calls=1 0
* 40
fn=(3)
0 30
fn=(4)
0 40
fn=(5) loop
0 7
cfn=(1)
calls=1 0
0 100
`;

test("readProfile() counts native code for the function of JavaScript that called it", () => {
  const { total, shares } = readProfile(dump, namesOf(list, "/home/repute/"));
  expect(total).toBe(107);
  expect(shares).toEqual([
    { name: "caller src/a.ts:1:2", instructions: 60, within: ["native"] },
    { name: "called node_modules/p/index.js:3:4", instructions: 40, within: [] },
  ]);
});

test("namesOf() knows no address beside those of the list", () => {
  expect(namesOf(list, "/home/repute/")(1)).toBeNull();
});
