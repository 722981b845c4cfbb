import { runOfKey } from "@turnseal/host";
import { cellOf, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { renderPlan } from "./render-plan.ts";

const of = "ca20af55-0000-4000-8000-000000000000";
const rollback = runOfKey(`rollback:${of}:0`, cellOf(of));

function show(
  steps: readonly JsonValue[],
  left: readonly JsonValue[] = [],
  more: JsonObject = {},
): string {
  const head = { run: of, toTurn: 0, ordinal: 0, left: [...left], ...more };
  const lines = renderPlan({ title: "x", steps: [...steps], rollback: head }, rollback);
  return lines.map((line) => formatLine(line, { isColoured: false })).join("\n");
}

const takesBack = {
  ...{ run: of, turn: 3, key: "k", receipt: "sha256:0" },
  ...{ input: { room: "12" }, result: { booking: "b-12" } },
};
const step = {
  ...{ id: "undo1", loop: "book.undo", version: "1.0.0", critical: false },
  description: "local.book in turn 1, done 2026-01-31T11:00:00.000Z",
};

test("the card of a rollback has the version that is called, and the turn", () => {
  const card = show([{ ...step, input: { takesBack } }]);
  expect(card).toMatch(/by.*book\.undo 1\.0\.0/);
  expect(card).toMatch(/local\.book in turn 3/);
  expect(card).not.toMatch(/^ +with/m);
});

test("whatever a step is given stands on the card, also where no compensation takes it", () => {
  const beside = { takesBack: { ...takesBack, more: "hidden-1" }, also: "hidden-2" };
  const card = show([{ ...step, input: beside }]);
  expect(card).toContain("hidden-1");
  expect(card).toContain("hidden-2");
  const other = show([{ ...step, loop: "wire", input: { amount: "hidden-3" } }]);
  expect(other).toMatch(/by.*wire 1\.0\.0/);
  expect(other).toContain("hidden-3");
});

test("what stays is said with why, and with what was tried before", () => {
  const [at, reason] = [{ run: of, turn: 1, key: "k" }, "local.book.undo in turn 1"];
  const card = show(
    [{ ...step, input: { takesBack } }],
    [
      { ...at, tool: "local.book", why: "compensation-unknown", reason },
      { ...at, tool: "local.walk", why: "abandoned" },
    ],
  ).replaceAll(/\s+/g, "");
  expect(card).toContain(`mayhavedoneso,whichisnotknown:${reason.replaceAll(" ", "")}`);
  expect(card).toContain("itisnotknownwhetherithappened");
});

test("that who asks has granted it something beside what the run had left is said", () => {
  const steps = [{ ...step, input: { takesBack } }];
  expect(show(steps, [], { granted: true })).toMatch(/granted +by who asks/);
  expect(show(steps)).not.toMatch(/granted/);
});

test("a root whose files were not looked at is named, with why", () => {
  const card = show([{ ...step, input: { takesBack } }], [], { unlooked: ["site"] });
  expect(card.replaceAll(/\s+/g, " ")).toContain(
    "not seen files of root site were not compared: no folder is bound to it where the rollback",
  );
});

test("later runs that manage files of it are named", () => {
  const card = show([{ ...step, input: { takesBack } }], [], { laterRuns: [of] });
  expect(card).toContain("later runs ca20af55 manage files of it");
});
