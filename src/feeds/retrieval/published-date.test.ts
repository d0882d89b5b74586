import { expect, test } from "vitest";
import { pastOrNull, publishedDate, readFeedDate } from "./published-date.ts";

const now = new Date("2026-11-21T12:00:00Z");

test.each([
  ["# Last update: Sat, 22 Aug 2026 03:00:29 +0200", "2026-08-22T01:00:29Z"],
  ["# Generated: 2026-08-22 02:00:00 UTC", "2026-08-22T02:00:00Z"],
  ["; Last-Modified: Sat, 22 Aug 2026 02:00:00 GMT", "2026-08-22T02:00:00Z"],
  ["! Last modified: 22 Aug 2026 02:00", "2026-08-22T02:00:00Z"],
  ["// Updated: 2026-08-22T02:00:00", "2026-08-22T02:00:00Z"],
  ["# Date: 2026-08-22", "2026-08-22T00:00:00Z"],
  ["# Source File Date: Sat Aug 22 02:00:00 UTC 2026", "2026-08-22T02:00:00Z"],
  ["# This File Date  : Sat Aug  8 02:00:00 UTC 2026", "2026-08-08T02:00:00Z"],
  ["! TimeUpdated: 2026-08-22T02:00:00.000Z", "2026-08-22T02:00:00Z"],
  ["# Build date: 2026-08-22 02:00 UTC", "2026-08-22T02:00:00Z"],
  ["# Timestamp: 2026-08-22T02:00:00+02:00", "2026-08-22T00:00:00Z"],
  ["# File Date Format: 2026-08-22", null],
  ["# Generated: 2030-01-01", null],
  ["# Generated: yesterday", null],
  ["# Updated: 2026/8/22 02:00", "2026-08-22T02:00:00Z"],
  ["# Last updated: Sat Aug 22 02:00:00 UTC 2026", "2026-08-22T02:00:00Z"],
  ["# Last updated: August 22, 2026", "2026-08-22T00:00:00Z"],
  ["# Generated: Sat, 22 Aug 2026 02:00:00 +0200 (CEST)", "2026-08-22T00:00:00Z"],
  ["# Generated: 2026-08-22 02:00:00 (UTC)", "2026-08-22T02:00:00Z"],
  ["# Last update: 2026-08-22 02:00 EST", "2026-08-22T07:00:00Z"],
  ["# Last update: Sat Aug 22 02:00:00 PDT 2026", "2026-08-22T09:00:00Z"],
  ["# Last update: Sat Aug 22 02:00:00 CEST 2026", null],
  ["# Date: 03/04/2026", null],
  ["# Date: Aug 2026", null],
  ["# Last change: added 5", null],
  ["# Published: by team 7", null],
  ["# Last update: 4", null],
  ["192.0.2.7 # Generated: 2026-08-22", null],
])("publishedDate() reads %s as %s", (line, date) => {
  expect(publishedDate(`# A list\r\n${line}\r\n192.0.2.7\r\n`, now)).toBe(date);
});

test.each([
  ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"],
  ["2026-11-21T12:00:01Z", null],
])("pastOrNull() takes %s as %s", (iso, date) => expect(pastOrNull(iso, now)).toBe(date));

test.each([
  [1795168800, "2026-11-20T10:00:00Z"],
  ["1795168800", "2026-11-20T10:00:00Z"],
  [1795168800123, "2026-11-20T10:00:00Z"],
  ["1795168800123", "2026-11-20T10:00:00Z"],
  ["1795168800.25", "2026-11-20T10:00:00Z"],
  [1795168800.25, "2026-11-20T10:00:00Z"],
  ["2026-11-20T12:00:00+02:00", "2026-11-20T10:00:00Z"],
  [17951688, null],
  ["1.2.3.4", null],
  [1e15, null],
])("readFeedDate() reads %j as %s", (value, date) => expect(readFeedDate(value)).toBe(date));
