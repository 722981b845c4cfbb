import { array, assert, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDelta } from "./apply-delta.ts";
import { applyEnvelope } from "./apply-envelope.ts";
import { applyStatus } from "./apply-status.ts";
import { listItems } from "./list-items.ts";
import { envelope, generationId, run } from "./sample-envelopes.test.data.ts";
import {
  type Delta,
  emptySession,
  PARTIAL_LENGTH_MAX,
  PARTIALS_MAX,
  type SessionState,
} from "./session-state.ts";

function piece(offset: number, text: string, more: Partial<Delta> = {}): Delta {
  return { generationId, message: "a.0", kind: "text", epoch: 1, offset, text, ...more };
}

function fold(deltas: readonly Delta[]): SessionState {
  return deltas.reduce(applyDelta, emptySession(run));
}

function textOf(state: SessionState): string {
  return listItems(state)
    .map((item) => ("text" in item ? item.text : ""))
    .join("|");
}

describe("pieces of a message", () => {
  test("make its text, which is shown as not complete", () => {
    const state = fold([piece(0, "Hel"), piece(3, "lo")]);
    expect(listItems(state)).toEqual([
      { kind: "assistant", id: "a.0", generationId, text: "Hello", isPartial: true },
    ]);
  });

  test("that were seen, or overlap, are not shown twice", () => {
    const again = [piece(0, "Hel"), piece(0, "Hello"), piece(2, "llo w"), piece(5, " w")];
    expect(textOf(fold(again))).toBe("Hello w");
  });

  test("are taken back by one that begins again and says nothing", () => {
    const other = piece(0, "kept", { message: "b.0" });
    expect(textOf(fold([piece(0, "Hel"), other, piece(0, "")]))).toBe("kept");
    expect(textOf(fold([piece(0, "Hel"), piece(3, "")]))).toBe("Hel");
    expect(textOf(fold([piece(0, "Hel"), piece(0, ""), piece(0, "Hi")]))).toBe("Hi");
  });

  test("after a gap wait for what is missing", () => {
    expect(textOf(fold([piece(0, "Hel"), piece(5, "!")]))).toBe("Hel");
    expect(textOf(fold([piece(3, "lo")]))).toBe("");
    // A new connection starts with the text from its beginning.
    expect(textOf(fold([piece(0, "Hel"), piece(5, "!"), piece(0, "Hello!")]))).toBe("Hello!");
  });

  test("in any order show a beginning of the text, and after a rejoin all of it", () => {
    const cuts = array(integer({ min: 0, max: 40 }), { maxLength: 12 });
    assert(
      property(string({ maxLength: 40 }), cuts, array(integer({ min: 0 })), (text, at, order) => {
        const ends = [...at, text.length].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => {
          const offset = Math.min(ends[index - 1] ?? 0, text.length);
          return piece(offset, text.slice(offset, end));
        });
        const arrived = order.map((pick) => pieces[pick % pieces.length] as Delta);
        const state = fold(arrived);
        expect(text.startsWith(textOf(state))).toBe(true);
        expect(textOf([piece(0, text), ...pieces].reduce(applyDelta, state))).toBe(text);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test("of a newer attempt void everything of older ones", () => {
    const older = [piece(0, "old"), piece(0, "thought", { message: "a.1", kind: "reasoning" })];
    const newer = piece(0, "new", { epoch: 2 });
    expect(textOf(fold([...older, newer]))).toBe("new");
    expect(textOf(fold([...older, newer, piece(3, "er"), ...older]))).toBe("new");
    // A piece without its beginning voids, too: the older text is not being written any more.
    expect(textOf(fold([...older, piece(3, "x", { epoch: 2 })]))).toBe("");
  });

  test("of a kind that the message does not have are not taken", () => {
    expect(textOf(fold([piece(0, "a"), piece(1, "b", { kind: "reasoning" })]))).toBe("a");
  });
});

describe("a message that is stored", () => {
  const stored = envelope("assistant-message", { text: "Hello" }, { sequence: 5, message: "a.0" });

  test("replaces what was seen of it, under the same id", () => {
    const state = applyEnvelope(fold([piece(0, "Hel")]), stored);
    expect(listItems(state)).toMatchObject([{ id: "a.0", text: "Hello", isPartial: false }]);
  });

  test("is not begun again by a late piece", () => {
    const state = applyEnvelope(emptySession(run), stored);
    expect(textOf(applyDelta(state, piece(0, "Hel")))).toBe("Hello");
  });

  test("leaves other messages in the making alone", () => {
    const state = fold([piece(0, "Hel"), piece(0, "Wor", { message: "b.0" })]);
    expect(textOf(applyEnvelope(state, stored))).toBe("Hello|Wor");
  });
});

describe("what a tool writes", () => {
  const tool = { toolCallId: "1", toolName: "local.copy" };
  const call = envelope("tool-call", { ...tool, args: {} }, { sequence: 5, message: "b" });
  const output = piece(0, "10%", { message: "b", kind: "tool-output" });

  test("shows in the tool, also when the request arrives later", () => {
    const state = applyEnvelope(fold([output]), call);
    expect(listItems(state)).toMatchObject([{ kind: "tool", status: "running", output: "10%" }]);
    expect(listItems(fold([output]))).toEqual([]);
  });

  test("is replaced by what the result says", () => {
    const result = envelope(
      "tool-result",
      { ...tool, result: 1, output: "10% 100%" },
      { sequence: 6, message: "b" },
    );
    const state = [call, result].reduce(applyEnvelope, fold([output]));
    expect(listItems(state)).toMatchObject([{ status: "done", output: "10% 100%" }]);
    expect(state.partials).toEqual([]);
  });
});

describe("a message that nobody will finish is gone", () => {
  test.each([
    envelope("user-abort", { generationId }, { sequence: 7 }),
    envelope("generation-failure", { error: "away" }, { sequence: 7 }),
  ])("with $type, and a late piece does not bring it back", (end) => {
    const state = applyEnvelope(fold([piece(0, "Hel")]), end);
    expect(state.partials).toEqual([]);
    expect(applyDelta(state, piece(0, "Hello"))).toBe(state);
  });

  test.each(["waiting", "done"] as const)("when the run is %s", (status) => {
    const state = applyStatus(fold([piece(0, "Hel")]), { status, requests: [] });
    expect(listItems(state)).toEqual([]);
  });

  test("but not while it runs", () => {
    const state = applyStatus(fold([piece(0, "Hel")]), { status: "running", requests: [] });
    expect(textOf(state)).toBe("Hel");
  });
});

test("a status of an earlier moment is ignored", () => {
  const now = applyStatus(emptySession(run), { status: "done", requests: [], sequence: 9 });
  expect(applyStatus(now, { status: "running", requests: [], sequence: 8 })).toBe(now);
  const next = applyStatus(now, { status: "waiting", requests: [], sequence: 9 });
  expect(next.status?.status).toBe("waiting");
});

test("at PARTIAL_LENGTH_MAX the text is whole; past it, it waits for the stored message", () => {
  const long = "x".repeat(PARTIAL_LENGTH_MAX);
  expect(textOf(fold([piece(0, long)]))).toHaveLength(PARTIAL_LENGTH_MAX);
  expect(textOf(fold([piece(0, `${long}y`)]))).toBe(long);
  expect(textOf(fold([piece(0, long), piece(PARTIAL_LENGTH_MAX, "y")]))).toBe(long);
});

test("PARTIALS_MAX messages can be in the making, and not one more", () => {
  const pieces = Array.from({ length: PARTIALS_MAX + 1 }, (_, at) =>
    piece(0, "x", { message: `m${at}.0` }),
  );
  expect(fold(pieces.slice(0, -1)).partials).toHaveLength(PARTIALS_MAX);
  expect(fold(pieces).partials).toHaveLength(PARTIALS_MAX);
});
