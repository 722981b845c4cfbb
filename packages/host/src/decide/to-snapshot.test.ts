import { emptyProjection, type OpenClaim, type OpenTurn } from "@turnseal/folds";
import { expect, test } from "vitest";
import { toSnapshot } from "./to-snapshot.ts";

const claim = (isUnknown: boolean): OpenClaim => ({
  ...{ key: "k", claim: 5, hash: "h", call: "c", parentCall: null, name: "local.pay" },
  ...{
    effect: "once",
    excluded: [],
    role: "finance",
    deadlineAt: "2026-01-31T12:00:00.000Z",
    reserve: {},
    periods: null,
  },
  ...{ isUnknown, handoff: null },
});

const waitingFor = (open: readonly OpenClaim[]) => {
  const waiting = { for: "person", until: null } as const;
  const openTurn: OpenTurn = {
    turn: 1,
    from: 2,
    resumes: 0,
    waiting,
    open,
    asked: [],
    input: { digest: `hmac-sha256:${"a".repeat(64)}`, size: 2, mediaType: "application/json" },
    threads: {},
    spentBefore: {},
  };
  return toSnapshot({ ...emptyProjection("run"), openTurn });
};

test("an action of unknown end is listed with what people are asked", () => {
  expect(waitingFor([claim(true)]).waiting).toEqual([
    {
      ...{ sequence: 5, id: "k", kind: "unknown", name: "local.pay", role: "finance" },
      ...{ askedAt: "2026-01-31T12:00:00.000Z", decideBy: null },
    },
  ]);
  expect(waitingFor([claim(false)]).waiting).toBeUndefined();
});
