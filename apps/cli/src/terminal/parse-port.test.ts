import { expect, test } from "vitest";
import { parseFirstPort, parsePort } from "./parse-port.ts";

test.each(["1", "8787", "65535"])("%s is a port", (text) => {
  expect(parsePort(text)).toBe(Number(text));
});

test.each(["0", "65536", "-1", "8787.5", "http", "", "1e99"])("%j is none", (text) => {
  expect(() => parsePort(text)).toThrow("Write a port from 1 to 65535.");
});

test("the last of several is a port, too", () => {
  expect(parseFirstPort("65531", 5)).toBe(65_531);
  expect(() => parseFirstPort("65532", 5)).toThrow("Write a port from 1 to 65531.");
});
