/**
 * The list of fields in spec/events.md §3.11 is held against events that runs really record: those
 * of the conformance suites. What the specification does not name is not recorded, and what it
 * names is.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSuite } from "@turnseal/conformance";
import { LOG_EVENT_TYPES } from "@turnseal/protocol/trace";
import { beforeAll, describe, expect, test } from "vitest";
import type { EventShape } from "./event-shape.ts";
import { listFields } from "./list-fields.ts";

const root = new URL("../../", import.meta.url);
const SUITE_MS = 300_000;
const text = readFileSync(new URL("spec/events.md", root), "utf8");
const listed = listFields(text.split("**3.11**")[1]?.split("## 4.")[0] ?? "");
const shapes: EventShape[] = [];

/** Where no suite has the means: shadow rules, routes, limits of pace and of context, drift. */
const UNSEEN = [
  "action.claimed, handoff: excluded",
  "action.claimed, handoff: shadow",
  "action.claimed, handoff: targetVersion",
  "action.claimed, model: contextTokens",
  "action.claimed, model: limit",
  "action.claimed, model: periods",
  "action.claimed, model: route",
  "action.claimed, tool: shadow",
  "action.settled, model: drift",
  "action.settled, model: periods",
  "action.settled, model: retryAfterMs",
  "action.settled, model: usage",
  "action.settled, tool: refused",
  "approval.requested: because",
  "approval.requested: replaces",
  "approval.requested: shadow",
  "approval.requested: targetVersion",
  "signal.received, cancel: scope",
];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-events-"));
  const bin = fileURLToPath(new URL("apps/cli/bin/turnseal.js", root));
  const hook = new URL("note-events.ts", import.meta.url);
  const profiles = ["log", "governed", "session"] as const;
  const files = profiles.map((profile) => join(folder, profile));
  await Promise.all(
    profiles.map((profile, index) => {
      const hooks = ["--import", `${hook.href}?to=${files[index]}`];
      const command = [process.execPath, ...hooks, bin, "conformance-shim"];
      return runSuite({ command, profile, timeoutMs: SUITE_MS });
    }),
  );
  for (const file of files)
    for (const line of readFileSync(file, "utf8").trim().split("\n"))
      shapes.push(JSON.parse(line) as EventShape);
}, SUITE_MS);

/** What the suites' own tools record is a vendor's. */
const isNative = ({ kind }: EventShape): boolean => !kind.startsWith("suite.");

describe("spec/events.md §3.11", () => {
  test("has a row for every type, and for no other", () => {
    const types = new Set([...listed.keys()].map((kind) => kind.split(",")[0]));
    expect([...types].sort()).toEqual([...LOG_EVENT_TYPES].sort());
  });

  test("names every kind of event that is recorded, and who causes it", () => {
    const unknown = shapes
      .filter(isNative)
      .filter(({ kind, actor }) => listed.get(kind)?.actors.includes(actor) !== true)
      .map(({ kind, actor }) => `${kind} by ${actor}`);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("names every field that is recorded", () => {
    const unknown = shapes.filter(isNative).flatMap(({ kind, fields }) => {
      const { always = [], sometimes = [] } = listed.get(kind) ?? {};
      return fields
        .filter((field) => ![...always, ...sometimes].includes(field))
        .map((field) => `${kind}: ${field}`);
    });
    expect([...new Set(unknown)].sort()).toEqual([]);
  });

  test("says of a field that it is always there only where it is", () => {
    const missing = shapes.flatMap(({ kind, fields }) =>
      (listed.get(kind)?.always ?? [])
        .filter((field) => !fields.includes(field))
        .map((field) => `${kind}: ${field}`),
    );
    expect([...new Set(missing)].sort()).toEqual([]);
  });

  test("names no field that is never recorded, but those that no suite can bring about", () => {
    const seen = new Set(shapes.flatMap(({ kind, fields }) => fields.map((f) => `${kind}: ${f}`)));
    const unseen = [...listed].flatMap(([kind, { always, sometimes }]) =>
      [...always, ...sometimes].map((field) => `${kind}: ${field}`),
    );
    expect(unseen.filter((field) => !seen.has(field)).sort()).toEqual(UNSEEN);
  });
});
