/**
 * Compares the schema of events with events that runs really record: those of the conformance
 * suites. Recorded fields must be in the schema, and the schema's fields must be recorded.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSuite } from "@turnseal/conformance";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type EventForm,
  type EventSchema,
  listForms,
} from "../../tools/event-fields/event-schema.ts";
import { describeShape, type EventShape, type Recorded } from "./event-shape.ts";

const root = new URL("../../", import.meta.url);
const SUITE_MS = 300_000;
const events: Recorded[] = [];
const shapes: EventShape[] = [];

function readSchema(name: string): object {
  return JSON.parse(readFileSync(new URL(`spec/schemas/${name}.schema.json`, root), "utf8"));
}

const schema = readSchema("event");
const forms = listForms(schema as EventSchema);
const listed = new Map(forms.map((form) => [kindOf(form), form]));

function kindOf({ type, title }: EventForm): string {
  return title === undefined ? type : `${type}, ${title}`;
}

/**
 * Where no suite has the means: shadow rules, limits of pace and of a tenant, drift, roots of
 * files, rollbacks. The kernel asks for a handoff as it asks for a tool, but a handoff has no gate
 * and no build.
 */
const UNSEEN = [
  "action.claimed, handoff: excluded",
  "action.claimed, handoff: planned",
  "action.claimed, handoff: shadow",
  "action.claimed, handoff: targetVersion",
  "action.claimed, model: limit",
  "action.claimed, model: outputs",
  "action.claimed, tool: root",
  "action.claimed, tool: shadow",
  "action.settled, handoff: undelivered",
  "action.settled, model: drift",
  "action.settled, model: retryAfterMs",
  "action.settled, model: usage",
  "action.settled, tool: artifacts",
  "action.settled, tool: failure",
  "action.settled, tool: outputCut",
  "action.settled, tool: refused",
  "action.settled, tool: retryAfterMs",
  "approval.requested, handoff: because",
  "approval.requested, handoff: description",
  "approval.requested, handoff: exclude",
  "approval.requested, handoff: excluded",
  "approval.requested, handoff: gate",
  "approval.requested, handoff: item",
  "approval.requested, handoff: replaces",
  "approval.requested, handoff: shadow",
  "approval.requested, handoff: targetVersion",
  "approval.requested, handoff: thread",
  "approval.requested, handoff: undo",
  "approval.requested, tool: because",
  "approval.requested, tool: replaces",
  "approval.requested, tool: root",
  "approval.requested, tool: shadow",
  "approval.requested, tool: takesBack",
  "artifact.adopted: artifacts",
  "artifact.adopted: key",
  "artifact.adopted: receivedAt",
  "drift.reconciled: artifacts",
  "drift.reconciled: difference",
  "drift.reconciled: files",
  "drift.reconciled: key",
  "drift.reconciled: left",
  "drift.reconciled: receivedAt",
  "drift.reconciled: root",
  "drift.reconciled: way",
  "drift.reconciled: why",
  "run.blocked: until",
];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-events-"));
  const program = fileURLToPath(new URL("proofs/conformance/program.ts", root));
  const hook = new URL("note-events.ts", import.meta.url);
  const profiles = ["log", "governed", "session", "context", "flow"] as const;
  const files = profiles.map((profile) => join(folder, profile));
  await Promise.all(
    profiles.map((profile, index) => {
      const hooks = ["--import", `${hook.href}?to=${files[index]}`];
      const command = [process.execPath, ...hooks, "--conditions=turnseal-source", program];
      const patience = { startMs: SUITE_MS, answerMs: SUITE_MS };
      return runSuite({ command, profile, patience });
    }),
  );
  for (const file of files)
    for (const line of readFileSync(file, "utf8").trim().split("\n"))
      events.push(JSON.parse(line) as Recorded);
  shapes.push(
    ...new Map(events.map(describeShape).map((one) => [JSON.stringify(one), one])).values(),
  );
}, SUITE_MS);

/** Events by the suites' own tools are vendor events. */
const isNative = ({ kind }: EventShape): boolean => !kind.startsWith("suite.");

describe("the schema of events", () => {
  test("takes every event that is recorded", () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(readSchema("receipt"));
    const validate = ajv.compile(schema);
    const refused = events
      .filter((event) => !validate(event))
      .map((event) => `${describeShape(event).kind}: ${JSON.stringify(event)}`);
    expect(events.length).toBeGreaterThan(1_000);
    expect(refused).toEqual([]);
  });

  test("names every kind of event that is recorded, and who causes it", () => {
    const unknown = shapes
      .filter(isNative)
      .filter(({ kind, actor }) => listed.get(kind)?.actors.includes(actor) !== true)
      .map(({ kind, actor }) => `${kind} by ${actor}`);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("names no actor who never causes the event, but those that no suite can bring about", () => {
    const seen = new Set(shapes.map(({ kind, actor }) => `${kind} by ${actor}`));
    const unseen = forms
      .flatMap((form) => form.actors.map((actor) => `${kindOf(form)} by ${actor}`))
      .filter((named) => !seen.has(named));
    expect(unseen).toEqual([
      ...["signal.received, refused by run", "action.settled, handoff by host"],
      // The programs of suites have no files.
      ...["drift.reconciled by person", "artifact.adopted by person"],
    ]);
  });

  test("names every field that is recorded", () => {
    const unknown = shapes.filter(isNative).flatMap(({ kind, fields }) => {
      const known = listed.get(kind)?.fields.map(({ name }) => name) ?? [];
      return fields.filter((field) => !known.includes(field)).map((field) => `${kind}: ${field}`);
    });
    expect([...new Set(unknown)].sort()).toEqual([]);
  });

  test("says of a field that it is always there only where it is", () => {
    const missing = shapes.flatMap(({ kind, fields }) => {
      const always = listed.get(kind)?.fields.filter(({ isAlways }) => isAlways) ?? [];
      return always
        .filter(({ name }) => !fields.includes(name))
        .map(({ name }) => `${kind}: ${name}`);
    });
    expect([...new Set(missing)].sort()).toEqual([]);
  });

  test("names no field that is never recorded, but those that no suite can bring about", () => {
    const seen = new Set(shapes.flatMap(({ kind, fields }) => fields.map((f) => `${kind}: ${f}`)));
    const named = forms.flatMap((form) =>
      form.fields.map(({ name }) => `${kindOf(form)}: ${name}`),
    );
    expect(named.filter((field) => !seen.has(field)).sort()).toEqual(UNSEEN);
  });
});
