import { expect, test } from "vitest";
import { containsRoot, isDestination, isReachable, isRoot } from "./place-patterns.ts";

test.each(["/", "/srv", "/srv/data.d/x", "/größe"])("%j is a root", (root) => {
  expect(isRoot(root)).toBe(true);
});

test.each(["", "srv", "//srv", "/srv/", "/srv/../etc", "/./a", "/a\\b", "C:/x", 1, null])(
  "%j is none",
  (root) => {
    expect(isRoot(root)).toBe(false);
  },
);

test.each([
  ["/srv", "/srv", true],
  ["/srv", "/srv/a/b", true],
  ["/srv", "/srv2", false],
  ["/srv/a", "/srv", false],
  ["/", "/etc", true],
])("%s contains %s: %s", (outer, inner, isContained) => {
  expect(containsRoot(outer, inner)).toBe(isContained);
});

test.each([
  "example.com",
  "localhost:8080",
  "*.example.com:443",
  "10.0.0.1",
  "[::1]",
  "[::1]:65535",
  "a-b.example",
])("%j is a destination", (destination) => {
  expect(isDestination(destination)).toBe(true);
});

test.each([
  "",
  "*",
  "*.",
  "*.*.com",
  "a.*.com",
  "Example.com",
  "example.com.",
  "-a.com",
  "a..com",
  "example.com:",
  "example.com:0",
  "example.com:080",
  "example.com:65536",
  "https://example.com",
  "example.com/path",
  "user@example.com",
  "*.0.0.1",
  "[::1",
  "::1",
  "exаmple.com",
  "example.com\n",
  null,
])("%j is none", (destination) => {
  expect(isDestination(destination)).toBe(false);
});

test("a request names one host", () => {
  expect(isReachable("api.example.com:443")).toBe(true);
  expect(isReachable("*.example.com")).toBe(false);
});
