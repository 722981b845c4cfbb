import { FILES_BUILD } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { renderGroup } from "./render-group.ts";

const textOf = (lines: ReturnType<typeof renderGroup>): string =>
  lines.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n");

const member = (at: number) => ({
  ...{ tool: `local.book-${at}`, input: { seat: at }, effect: "idempotent" },
  reserve: { toolCalls: 1 },
});

test("every member is shown with what it does, costs, and whether it can be taken back", () => {
  const compensation = { loop: "book.undo", version: "1.0.0", build: "1", effect: "idempotent" };
  const files = { loop: "put.undo", version: "1.0.0", build: FILES_BUILD, effect: "idempotent" };
  const text = textOf(
    renderGroup({
      path: "/flow",
      members: [
        { ...member(1), compensation },
        { ...member(2), irreversible: "mail is mail" },
        { ...member(3), compensation: files },
        { ...member(4), reserve: {}, margin: "a field of later" },
      ],
    }),
  );
  expect(text).toContain("4 actions, in this order");
  expect(text).toMatch(/1 +does +"local.book-1"\n +with.seat +1\n/);
  expect(text).toMatch(/undo +"yes, by book.undo"\n +costs +"toolCalls 1"/);
  expect(text).toMatch(/undo +"no: mail is mail"/);
  expect(text).toMatch(/undo +"not here: files, by turnseal rollback"/);
  expect(text).toMatch(
    /undo +"no compensation is declared"\n +costs +"nothing"\n +margin +"a field of later"/,
  );
});

test("none of the most that there can be is left out", () => {
  const text = textOf(
    renderGroup({ path: "/flow", members: Array.from({ length: 32 }, (_, at) => member(at)) }),
  );
  for (let at = 0; at < 32; at++) expect(text).toContain(`"local.book-${at}"`);
});

test("what is no group is shown as it is", () => {
  expect(textOf(renderGroup({ members: ["one"], more: 1 }))).toMatch(/members\[0\] +"one"/);
});
