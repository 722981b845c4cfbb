import { expect, test } from "vitest";
import { bindTools, type ToolBindings } from "../actions/bind-tools.ts";
import { compositeLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { pinReferences } from "../registry/pin-references.ts";
import { registerAll } from "../turn/sample-run.test.data.ts";
import { findLoops } from "./find-loops.ts";

const documents = [compositeLoop("flow", [step("look")]), toolLoop("look")];
const registry = registerAll(documents);
const [root] = registry.list();
const pinned = root === undefined ? {} : pinReferences(registry, root);
const run = { loop: "flow", version: "1.0.0", pinned };
const functions: ToolBindings = { "local.look": () => ({}) };

function find(here = registry, bindings = functions, asked = run) {
  return findLoops(asked, { registry: here, tools: bindTools(bindings) });
}

test("the loops that were pinned are found, and no others", () => {
  const found = find();
  if (found.kind !== "found") throw new Error(found.kind);
  expect(found.root.definition.id).toBe("flow");
  expect(found.loops("look", undefined)?.definition.id).toBe("look");
  expect(found.loops("look", "1.0.0")).toBeUndefined();
  expect(found.loops("toString", undefined)).toBeUndefined();
});

test("other versions beside the pinned ones change nothing", () => {
  const next = documents.map((document) => ({ ...document, version: "2.0.0" }));
  expect(find(registerAll([...documents, ...next]))).toMatchObject({ kind: "found" });
});

test.each([
  ["loop-missing", "flow 1.0.0", () => find(registerAll([]))],
  ["loop-missing", "look 1.0.0", () => find(registerAll(documents.slice(0, 1)))],
  [
    "loop-changed",
    "look 1.0.0",
    () => find(registerAll([...documents.slice(0, 1), toolLoop("look", { description: "new" })])),
  ],
  ["tool-missing", "local.look 1.0.0", () => find(registry, {})],
  ["tool-missing", "local.look 1.0.0", () => find(registry, { "local.other": () => ({}) })],
  ["loop-missing", "flow 1.0.0", () => find(registry, functions, { ...run, pinned: {} })],
])("%s: %s", (cause, what, search) => {
  expect(search()).toEqual({ kind: "blocked", block: { cause, what } });
});

test("what is done by people, other runs and the kernel needs no function", () => {
  for (const implementation of ["turnseal.question", "turnseal.handoff", "builtin:echo"]) {
    const here = registerAll([toolLoop("ask", { tool: { implementation } })]);
    const [ask] = here.list();
    if (ask === undefined) continue;
    const asked = { loop: "ask", version: "1.0.0", pinned: pinReferences(here, ask) };
    expect(find(here, {}, asked)).toMatchObject({ kind: "found" });
  }
});
