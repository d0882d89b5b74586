import { expect, test } from "vitest";
import { causesOf } from "./causes.ts";

const checkFor = (reason: string, host: string | null) =>
  causesOf([{ key: "one", reason, host }])[0]?.check ?? null;

const HERE = [
  "127.0.0.1:8999",
  "127.9.9.9",
  "[::1]:80",
  "0.0.0.0:1",
  "localhost",
  "lists.localhost:8080",
  "[::ffff:7f00:1]",
];
const NEAR = [
  "10.1.2.3",
  "192.168.0.9:8443",
  "[fd00::7]",
  "172.31.0.1",
  "169.254.1.1",
  "100.64.0.1",
  "lists",
  "lists.lan:80",
  "a.b.internal",
  "nas.home.arpa",
  "printer.local",
];
const FAR = ["198.41.0.4", "lists.example", "[2001:500::1]:443", "local.example", "localhost.example", null];

const UNREACHED = [
  "The connection was refused",
  "The connection was closed by the other side",
  "The connection timed out",
  "There is no route to the host",
  "No connection within 5000 ms",
  "No complete answer within 60 s",
];

test.each(UNREACHED)("%s: the internet is to be checked only for what is on it", (reason) => {
  for (const host of [...HERE, ...NEAR]) expect(checkFor(reason, host), host).not.toMatch(/internet/);
  for (const host of HERE) expect(checkFor(reason, host), host).toMatch(/on this machine/);
  for (const host of NEAR) expect(checkFor(reason, host), host).toMatch(/reaches that network/);
  for (const host of FAR) expect(checkFor(reason, host), String(host)).toMatch(/internet/);
});

test("a name and a certificate of one's own are told of as such", () => {
  const unresolved = "The host name cannot be resolved";
  const insecure = "No secure connection: self-signed certificate";
  for (const host of ["lists", "lists.lan", "a.internal"]) {
    expect(checkFor(unresolved, host)).toMatch(/^Check that dns\.servers know the name/);
    expect(checkFor(insecure, host)).toMatch(/fetch\.ca_file names the authority/);
  }
  expect(checkFor(unresolved, "lists.example")).toMatch(/internet/);
  expect(checkFor(insecure, "lists.example")).toMatch(/clock/);
});

test("one reason of hosts of both kinds is two causes, each with its own hosts", () => {
  const reason = "The connection was refused";
  const rows = [
    { key: "a", reason, host: "127.0.0.1:9" },
    { key: "b", reason, host: "lists.example" },
    { key: "c", reason, host: "other.example" },
  ];
  expect(causesOf(rows).map(({ keys, hosts }) => ({ keys, hosts }))).toEqual([
    { keys: ["b", "c"], hosts: ["lists.example", "other.example"] },
    { keys: ["a"], hosts: ["127.0.0.1:9"] },
  ]);
});

test("what only the publisher can set right has nothing to check, wherever it is", () => {
  for (const host of [...HERE, ...NEAR, ...FAR]) expect(checkFor("The server answered 503", host)).toBeNull();
});
