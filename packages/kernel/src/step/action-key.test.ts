import { expect, test } from "vitest";
import { type ActionPlace, actionKey } from "./action-key.ts";

const place: ActionPlace = { run: "a", turn: 1, path: "turns/1/steps/0", ordinal: 0, retry: 0 };

test("the key of an action is fixed: a change to it would orphan every open turn", () => {
  expect(actionKey(place)).toBe(actionKey({ ...place }));
  expect(actionKey(place)).toBe("cf6fb0154fbfc9c097dbb3031fd25301efb3a58d87929a763f9e1ec658fe7fd1");
});

test.each([{ run: "b" }, { turn: 2 }, { path: "turns/1/steps/1" }, { ordinal: 1 }, { retry: 1 }])(
  "another place has another key: %o",
  (change) => {
    expect(actionKey({ ...place, ...change })).not.toBe(actionKey(place));
  },
);

test("parts of a place cannot run into each other", () => {
  expect(actionKey({ ...place, turn: 1, path: "1" })).not.toBe(
    actionKey({ ...place, turn: 11, path: "" }),
  );
});
