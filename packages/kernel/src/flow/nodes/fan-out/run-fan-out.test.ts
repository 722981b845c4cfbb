import { expect, test } from "vitest";
import { CONCURRENCY_DEFAULT } from "../../../limits.ts";
import { crashAt, settle } from "../../../turn/sample-run.test.data.ts";
import {
  askAlways,
  drive,
  eachOf,
  endsOf,
  expectSound,
  openFanOut,
  pay,
} from "./sample-fan-out.test.data.ts";

test.each([1, 2, 3, 4, undefined])("with %s at once the results are the same", async (many) => {
  const limit = many === undefined ? {} : { concurrency: many };
  const run = openFanOut(eachOf(["a", "b", "c"], limit));
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: ["a", "b", "c"] });
  expect(run.paid.toSorted()).toEqual(["a", "b", "c"]);
  await expectSound(run);
});

test("where it does not say how many, so many act at once, and no more", async () => {
  let [acting, most] = [0, 0];
  const list = Array.from({ length: CONCURRENCY_DEFAULT + 3 }, (_, index) => index);
  const run = openFanOut(eachOf(list), {
    pay: async (at) => {
      acting += 1;
      most = Math.max(most, acting);
      await settle();
      acting -= 1;
      return at;
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: list });
  expect(most).toBe(CONCURRENCY_DEFAULT);
});

test("the list is fixed before the first item begins, and each item has one end", async () => {
  const run = openFanOut(eachOf(["a", "b"]));
  await run.turn();
  const types = await run.types();
  expect(types.indexOf("fanout.fixed")).toBeLessThan(types.indexOf("child.started"));
  expect(await run.contents("fanout.fixed")).toMatchObject([
    { path: "/flow", items: 2, list: { mediaType: "application/json" } },
  ]);
  expect(endsOf(await run.events()).toSorted()).toEqual(["0 ok", "1 ok"]);
});

test.each([1, 2, 5])("with %i at once all three items are asked for", async (concurrency) => {
  const run = openFanOut(eachOf(["a", "b", "c"], { concurrency }), { rules: askAlways });
  expect(await run.turn()).toMatchObject({ kind: "waiting", for: "person" });
  expect((await run.types()).filter((type) => type === "approval.requested")).toHaveLength(3);
});

test.each([
  ["first to last", () => 0],
  ["last to first", (count: number) => count - 1],
  ["from the middle", (count: number) => Math.floor(count / 2)],
])("answered %s, each by a new process, every item is paid once", async (_, pick) => {
  for (const concurrency of [1, 2, 3]) {
    const run = openFanOut(eachOf(["a", "b", "c"], { concurrency }), { rules: askAlways });
    expect(await drive(run, pick)).toBe("completed");
    expect(run.paid.toSorted()).toEqual(["a", "b", "c"]);
    await expectSound(run);
  }
});

test("any: the first to end wins, and what the others asked is withdrawn", async () => {
  const run = openFanOut(eachOf(["a", "b", "c"], { join: "any" }), { rules: askAlways });
  expect(await drive(run, (count) => count - 1)).toBe("completed");
  expect(run.paid).toEqual(["c"]);
  expect(endsOf(await run.events())).toEqual(["2 ok", "0 withdrawn", "1 withdrawn"]);
  expect(await run.contents("approval.expired")).toMatchObject([
    { because: "withdrawn" },
    { because: "withdrawn" },
  ]);
  await expectSound(run);
});

test("quorum: two of three win, in the order of the list", async () => {
  const run = openFanOut(eachOf(["a", "b", "c"], { join: { quorum: 2 } }), { rules: askAlways });
  expect(await drive(run, (count) => count - 1)).toBe("completed");
  expect(run.paid).toEqual(["c", "b"]);
  expect(endsOf(await run.events())).toEqual(["2 ok", "1 ok", "0 withdrawn"]);
  await expectSound(run);
});

test("any: an act of a loser is cut off, and is unknown before the turn closes", async () => {
  const run = openFanOut(eachOf(["slow", "quick"], { join: "any" }), {
    effect: "once",
    pay: (at, { signal }) =>
      at === "quick"
        ? "quick"
        : new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("cut")));
          }),
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: "quick" });
  expect(endsOf(await run.events())).toEqual(["1 ok", "0 withdrawn"]);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "withdrawn" }]);
  await expectSound(run);
});

test.each(["before", "after"] as const)(
  "a crash %s every append: all, any and quorum, two levels deep, come to their end",
  async (when) => {
    for (const join of ["all", "any", { quorum: 2 }] as const) {
      let places = 0;
      for (let place = 1; ; place++) {
        const crash = crashAt(place);
        let appends = 0;
        const counted = () => {
          appends += 1;
          crash();
        };
        const inner = eachOf([1, 2], { as: "part", body: pay("$.part"), concurrency: 1 });
        const run = openFanOut(eachOf(["a", "b", "c"], { join, body: inner, concurrency: 2 }), {
          ...(when === "before" ? { beforeAppend: counted } : { afterAppend: counted }),
        });
        expect(await drive(run)).toBe("completed");
        await expectSound(run);
        if (appends < place) break;
        places += 1;
      }
      expect(places).toBeGreaterThan(4);
    }
  },
);
