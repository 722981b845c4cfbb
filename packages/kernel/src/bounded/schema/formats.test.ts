import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cpuMs } from "../../cpu-ms.test.data.ts";
import { VALIDATION_STEPS_MAX } from "../../limits.ts";
import {
  EMAIL_LENGTH_MAX,
  formats,
  HOST_LABEL_LENGTH_MAX,
  HOSTNAME_LENGTH_MAX,
} from "./formats.ts";
import { createValidator } from "./schema-validator.ts";

const has = (format: string, text: string): boolean | undefined => formats.get(format)?.(text);

test("the formats are those that the specification lists", () => {
  const text = readFileSync(new URL("../../../../../spec/loop.md", import.meta.url), "utf8");
  const listed = text.slice(text.indexOf("**5.9**"), text.indexOf("**5.10**"));
  expect(Array.from(listed.matchAll(/^\| `([a-z0-9-]+)`/gm), ([, name]) => name)).toEqual([
    ...formats.keys(),
  ]);
});

test.each<[string, string[], string[]]>([
  [
    "date",
    ["2000-02-29", "0001-01-01"],
    ["1900-02-29", "2026-04-31", "2026-13-01", "2026-1-01", ""],
  ],
  [
    "date-time",
    ["2026-01-31t12:00:00z", "1998-12-31T15:59:60-08:00"],
    ["2026-01-31 12:00:00Z", "2026-01-31T12:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00:00.Z"],
  ],
  ["time", ["00:00:00+23:59", "00:00:60+00:01"], ["12:00:00", "12:00:00+24:00", "12:60:00Z"]],
  [
    "email",
    ['"a@b"@c', "a@[127.0.0.1]", "a@[IPv6:::1]"],
    ["a@b@c", "@b", "a@", 'a"b@c', "a@[::1]"],
  ],
  ["hostname", ["a", "A-1.b"], ["", "a.", ".a", "-a", "a-", "ä.example", "a b"]],
  [
    "ipv4",
    ["0.0.0.0", "255.255.255.255"],
    ["1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.+4", "1.2.3."],
  ],
  [
    "ipv6",
    ["::", "1::8", "::ffff:1.2.3.4"],
    [":", "1:2", "1::2::3", "::1.2.3", "1.2.3.4::", "::g"],
  ],
  ["uri", ["urn:a", "a://", "http://[v1.a]/", "x:/"], ["", "a", "//a", "a:[", "a:%zz"]],
  ["uri-reference", ["", "a", "//a:1/b", "#"], ["a b", "#a#b", "//[::1", "//a:b:c"]],
  ["uuid", ["00000000-0000-0000-0000-000000000000"], ["", "0".repeat(36), "g".repeat(32)]],
])("%s", (format, good, bad) => {
  expect(good.filter((text) => has(format, text) !== true)).toEqual([]);
  expect(bad.filter((text) => has(format, text) !== false)).toEqual([]);
});

test("names of hosts and mailboxes have their greatest lengths", () => {
  const label = "a".repeat(HOST_LABEL_LENGTH_MAX);
  expect([has("hostname", label), has("hostname", `${label}a`)]).toEqual([true, false]);
  const longest = `${`${label}.`.repeat(3)}${"a".repeat(HOSTNAME_LENGTH_MAX - 192)}`;
  expect(longest).toHaveLength(HOSTNAME_LENGTH_MAX);
  expect([has("hostname", longest), has("hostname", `${longest}a`)]).toEqual([true, false]);
  const mailbox = (length: number) => `${"a".repeat(length - 2)}@b`;
  expect([
    has("email", mailbox(EMAIL_LENGTH_MAX)),
    has("email", mailbox(EMAIL_LENGTH_MAX + 1)),
  ]).toEqual([true, false]);
});

test("a text is looked at in time that grows with its length, and counts as steps", () => {
  const hostile = [
    "a",
    "a.",
    "a-",
    "1",
    ":",
    "1:",
    "%41",
    "[",
    "@",
    '"',
    "a@",
    "/",
    "-",
    "0:",
    "#",
  ];
  const busyMs = cpuMs(() => {
    for (const check of formats.values())
      for (const part of hostile) {
        const text = part.repeat(1_000_000 / part.length);
        check(text);
        check(`${text}!`);
        check(`a:${text}`);
        check(`"${text}"@a`);
      }
  });
  expect(busyMs).toBeLessThan(10_000);
  const validate = createValidator({ items: { format: "uri" } });
  const half = `a:${"b".repeat(VALIDATION_STEPS_MAX / 2 - 10)}`;
  expect(validate([half])).toEqual([]);
  expect(validate([half, half, half])).toEqual([": takes too long to validate"]);
});
