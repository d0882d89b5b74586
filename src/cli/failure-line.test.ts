import { describe, expect, test } from "vitest";
import { InvalidValue, Refusal } from "../base/failure.ts";
import { exitStatusOf, failureLine } from "./failure-line.ts";

const system = (properties: object): Error =>
  Object.assign(new Error("EX: what the system says"), properties);

describe("failureLine()", () => {
  test.each([
    { error: new Error("It broke\n  at a line\n  at another"), line: "It broke" },
    { error: new Error("\u001b[2Jcleared"), line: "[2Jcleared" },
    {
      error: new Error("No luck with postgres://me:hunter2@db/x"),
      line: "No luck with postgres://me:***@db/x",
    },
    { error: new Error(`No luck with rpt_${"a".repeat(43)}`), line: `No luck with rpt_${"a".repeat(8)}` },
    { error: new AggregateError([new Error("The first")], ""), line: "The first" },
    { error: "a text", line: "a text" },
    { error: new Error(""), line: "Error" },
    {
      error: system({ code: "EADDRINUSE", syscall: "listen", address: "127.0.0.1", port: 80 }),
      line: "Cannot listen on 127.0.0.1:80: the port is taken",
    },
    {
      error: system({ code: "EADDRINUSE", syscall: "listen", address: "2001:db8::1", port: 80 }),
      line: "Cannot listen on [2001:db8::1]:80: the port is taken",
    },
    {
      error: system({ code: "EADDRNOTAVAIL", syscall: "listen", address: "192.0.2.1" }),
      line: "Cannot listen on 192.0.2.1: this machine does not have the address",
    },
    {
      error: system({ code: "EACCES", syscall: "mkdir", path: "/srv/x" }),
      line: 'Cannot use "/srv/x": permission denied',
    },
    {
      error: system({ code: "ENOENT", syscall: "stat", path: "/nope" }),
      line: 'Cannot use "/nope": there is no such file or folder',
    },
    {
      error: system({ code: "EISDIR", syscall: "rename", path: "/srv/.draft", dest: "/srv/x" }),
      line: 'Cannot use "/srv/x": a folder stands where a file is needed',
    },
    {
      error: system({ code: "EISDIR", syscall: "read" }),
      line: "Cannot read: a folder stands where a file is needed",
    },
    { error: system({ code: "ENOSPC", syscall: "write" }), line: "Cannot write: the disk is full" },
    {
      error: system({ code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1", port: 5432 }),
      line: "Cannot connect to 127.0.0.1:5432: connection refused",
    },
    {
      error: system({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: "x.invalid" }),
      line: 'Cannot find the address of "x.invalid"',
    },
    { error: system({ code: "EOTHER" }), line: "EX: what the system says" },
    {
      error: system({ code: "ERR_SQLITE_ERROR", errcode: 8 }),
      line: "Cannot use the database: EX: what the system says",
    },
    {
      error: system({ code: "3D000", severity: "FATAL" }),
      line: "Cannot connect to the database: EX: what the system says",
    },
    {
      error: system({ code: "42501", severity: "ERROR" }),
      line: "Cannot use the database: EX: what the system says",
    },
    {
      error: new Error("Connection terminated unexpectedly"),
      line: "Cannot connect to the database: Connection terminated unexpectedly",
    },
    {
      error: new Error("The server does not support SSL connections"),
      line: "Cannot connect to the database: The server does not support SSL connections",
    },
    {
      error: new Refusal("VALIDATION", {
        faults: [{ loc: ["body", "ip"], msg: "Not an address", type: "value_error" }],
      }),
      line: "Not an address",
    },
  ])("$line", ({ error, line }) => {
    expect(failureLine(error)).toBe(line);
  });
});

test.each([
  { error: new InvalidValue("plan_unknown", "No such plan"), status: 2 },
  { error: new Refusal("VALIDATION", { faults: [{ loc: ["body"], msg: "x", type: "missing" }] }), status: 2 },
  { error: new Refusal("NOT_FOUND"), status: 1 },
  { error: new Error("Ours"), status: 1 },
])("exitStatusOf() gives $status for $error.name", ({ error, status }) => {
  expect(exitStatusOf(error)).toBe(status);
});
