import type { OpenClaim, OpenRequest } from "@turnseal/folds";
import type { ResumeCheck } from "@turnseal/host";
import type { RunSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { ASKED_SHOWN_MAX, renderAsked, renderResumeCheck } from "./render-resume-check.ts";

const claim: OpenClaim = {
  ...{
    key: "k",
    claim: 25,
    hash: "h",
    call: "c",
    parentCall: null,
    excluded: [],
    role: null,
    handoff: null,
    periods: null,
  },
  ...{ name: "local.pay", effect: "once", deadlineAt: "2026-01-31T12:00:00.000Z", reserve: {} },
  isUnknown: true,
};

function say(open: OpenClaim, answered: readonly string[]): string {
  const check: ResumeCheck = {
    ...{ run: "r", loops: [], tools: [], models: [], semantics: null, isGrantExpired: false },
    ...{ open: [open], world: [], lack: null, isSafe: true },
  };
  const spec = { grant: { grantor: "ada" } } as unknown as RunSpec;
  const state = { spec, openTurn: null, answered: new Set(answered), kept: undefined };
  const lines = renderResumeCheck(check, state);
  return lines.map((each) => formatLine(each, { isColoured: false })).join("\n");
}

test("what became of an action is asked, waited for, or answered", () => {
  expect(say({ ...claim, isUnknown: false }, [])).toContain(
    "a person is asked whether it happened",
  );
  expect(say(claim, [])).toContain("a person must answer");
  expect(say(claim, ["another"])).toContain("a person must answer");
  expect(say(claim, ["h"])).toContain("a person has answered");
});

test("ASKED_SHOWN_MAX requests are shown one by one, and of more it is told how many", () => {
  const request = { kind: "approval", id: "0123456789", name: "local.pay" } as OpenRequest;
  const show = (length: number) =>
    renderAsked(new Array(length).fill(request), { run: "abcdefghijkl", answered: new Set() });
  expect(show(ASKED_SHOWN_MAX)).toHaveLength(ASKED_SHOWN_MAX);
  const many = show(200);
  expect(many).toHaveLength(ASKED_SHOWN_MAX + 1);
  const last = many.at(-1);
  expect(last && formatLine(last, { isColoured: false })).toBe(
    "  more      190: turnseal inbox abcdefgh",
  );
});
