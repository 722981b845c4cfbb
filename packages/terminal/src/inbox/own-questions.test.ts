import { groupRest, rollbackRest } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { listRestAnswers, renderLeft } from "./own-questions.ts";

test.each([rollbackRest, groupRest])("$definition.id: every answer has words", ({ definition }) => {
  const { properties } = definition.outputSchema as { properties: { rest: { enum: string[] } } };
  const answers = listRestAnswers(definition.id) ?? [];
  expect(answers.map(([rest]) => rest)).toEqual(properties.rest.enum);
  expect(listRestAnswers("my.question")).toBeUndefined();
});

test("what was not taken back is named, and what was is not", () => {
  const asked = {
    ...{ run: "5b2a9963-51a1-4975-9524-8f3936dd4a92", notTakenBack: 1, of: 2 },
    ...{ steps: ["ok", "error"], actions: ["local.book in turn 1", "local.page in turn 2"] },
  };
  const shown = renderLeft({ loop: "turnseal.rollback-rest", run: "9062939c-b3bb" }, asked)?.map(
    (row) => formatLine(row, { isColoured: false }),
  );
  expect(shown?.[0]).toContain("1 of 2 actions of run 5b2a9963 not taken back");
  expect(shown?.[1]).toContain("turnseal transcript 9062939c");
  expect(shown?.[2]).toContain("local.page in turn 2");
  expect(shown?.join()).not.toContain("local.book");
  expect(renderLeft({ loop: "my.question", run: "9062939c-b3bb" }, asked)).toBeUndefined();
});
