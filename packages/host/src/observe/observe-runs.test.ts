import {
  createMemorySigner,
  type ManualClock,
  manualClock,
  memoryStores,
  type ObservedReceipt,
  type Observer,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import { headAfter, sampleAppend, sampleReceipt } from "@turnseal/ports/contracts";
import { type Head, isLoopError, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../local/local-host.ts";
import { OBSERVER_ANSWER_MS_MAX, OBSERVER_REFUSALS_MAX, OBSERVER_RETRIES_MAX } from "./courier.ts";
import { OBSERVER_NAME_LENGTH_MAX, OBSERVERS_MAX, observeRuns } from "./observe-runs.ts";

const RUN = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

/** Lets everything run that can. */
const settle = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** A process with observers, on stores that it may share with another. */
function openProcess(
  observers: readonly Observer[],
  given: { stores?: Stores; clock?: ManualClock } = {},
) {
  const { clock = manualClock() } = given;
  const { stores = memoryStores(clock) } = given;
  const failures: string[] = [];
  const observed = observeRuns({
    ...{ stores, clock, observers, tenant: "acme" },
    onObserverFailed: (name, error) =>
      failures.push(`${name}: ${isLoopError(error) ? error.code : (error as Error).message}`),
  });
  let after: Head | undefined;
  let epoch = 0;
  const seal = async (...turns: number[]): Promise<void> => {
    if (epoch === 0) ({ epoch, head: after } = await stores.log.takeEpoch(RUN));
    for (const turn of turns) {
      const append = sampleAppend(
        { epoch, ...(after === undefined ? {} : { after }) },
        { receipt: sampleReceipt(turn) },
      );
      await observed.stores.log.append(append);
      after = headAfter(append);
    }
    await settle();
  };
  const left = async (name = "one") => (await stores.outbox?.list(name))?.map(({ turn }) => turn);
  return { clock, stores, observed, failures, seal, left };
}

/** An observer that hears as it is told. */
function createHearer(name = "one", hear: (turn: number) => void | Promise<void> = () => {}) {
  const heard: ObservedReceipt[] = [];
  const observer: Observer = {
    name,
    onReceiptSealed: (receipt) => {
      heard.push(receipt);
      return hear(receipt.turn);
    },
  };
  return { observer, heard, turns: () => heard.map(({ turn }) => turn) };
}

test("an observer hears each durable event, and each receipt by reference", async () => {
  const types: string[] = [];
  const { observer, heard } = createHearer();
  const onEvent: Observer["onEvent"] = ({ type }, { tenant }) => types.push(`${tenant} ${type}`);
  const { seal, left } = openProcess([{ ...observer, onEvent }]);
  await seal(1);
  expect(types).toEqual(["acme run.blocked"]);
  expect(heard).toEqual([{ tenant: "acme", run: RUN, turn: 1, id: sampleReceipt(1).id }]);
  expect(await left()).toEqual([]);
});

test("a run of a host is heard with its loop, to its end", async () => {
  const greet = defineTool({
    ...{ id: "greet", version: "1.0.0", effect: "read", build: "t" },
    input: jsonSchema<{ readonly name: string }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: async () => "hello",
  });
  const { observer, turns } = createHearer();
  const heard: string[] = [];
  const onEvent: Observer["onEvent"] = ({ type }, of) =>
    heard.push(`${type} of ${of.loop} in ${of.tenant}`);
  const host = createLocalHost({
    ...{ loops: [greet], stores: memoryStores(systemClock), signer: await createMemorySigner() },
    observers: [{ ...observer, onEvent }],
  });
  const grant = { grantor: "ada", tools: ["local.greet"], budget: {} };
  const { run } = await host.run(greet, { name: "ada" }, { grant });
  expect(heard.at(-1)).toBe("run.stopped of greet in default");
  expect(heard).toHaveLength(await countEvents(host.events(run)));
  await expect.poll(turns).toEqual([1]);
});

describe("an observer that", () => {
  test("throws stops no run, is reported once, and keeps no other from hearing", async () => {
    const events: number[] = [];
    const broken: Observer = {
      name: "broken",
      onEvent: () => {
        throw new Error("no");
      },
    };
    const { seal, failures } = openProcess([
      broken,
      { name: "one", onEvent: ({ sequence }) => events.push(sequence) },
    ]);
    await seal(1, 2, 3);
    expect(events).toEqual([1, 2, 3]);
    expect(failures).toEqual(["broken: no"]);
  });

  test("refuses a receipt hears of it again, and of the others meanwhile", async () => {
    const refused = new Set([2]);
    const { observer, turns } = createHearer("one", (turn) => {
      if (refused.has(turn)) throw new Error(`not ${turn}`);
    });
    const { seal, left, clock, failures } = openProcess([observer]);
    await seal(1, 2, 3);
    expect(await left()).toEqual([2]);
    refused.clear();
    clock.advance(1_000);
    await settle();
    expect(await left()).toEqual([]);
    expect(new Set(turns())).toEqual(new Set([1, 2, 3]));
    expect(failures[0]).toBe("one: not 2");
  });

  test("always refuses is asked OBSERVER_RETRIES_MAX times, and by the next receipt", async () => {
    const { observer, heard } = createHearer("one", () => {
      throw new Error("no");
    });
    const { seal, left, clock, failures } = openProcess([observer]);
    await seal(1);
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000);
      await settle();
    }
    expect(heard).toHaveLength(1 + OBSERVER_RETRIES_MAX);
    await seal(2);
    expect(heard.length).toBeGreaterThan(1 + OBSERVER_RETRIES_MAX);
    expect(await left()).toEqual([1, 2]);
    expect(failures).toEqual(["one: no"]);
  });

  test("refuses OBSERVER_REFUSALS_MAX receipts is left alone with the rest", async () => {
    const turns = Array.from({ length: OBSERVER_REFUSALS_MAX + 5 }, (_, index) => index + 1);
    const silent = openProcess([{ name: "one", onReceiptSealed: () => new Promise(() => {}) }]);
    await silent.seal(...turns);
    silent.observed.close();
    const { observer, turns: heard } = createHearer("one", () => {
      throw new Error("no");
    });
    const { observed } = openProcess([observer], silent);
    await observed.look();
    expect(heard()).toEqual(turns.slice(0, OBSERVER_REFUSALS_MAX));
    observed.close();
  });

  test("never answers holds up its own receipts only, for OBSERVER_ANSWER_MS_MAX", async () => {
    let isStuck = true;
    const slow = createHearer("slow", () => (isStuck ? new Promise(() => {}) : undefined));
    const one = createHearer("one");
    const { seal, left, clock, failures } = openProcess([slow.observer, one.observer]);
    await seal(1, 2);
    expect(one.turns()).toEqual([1, 2]);
    expect(slow.turns()).toEqual([1]);
    clock.advance(OBSERVER_ANSWER_MS_MAX - 1);
    await settle();
    expect(failures).toEqual([]);
    isStuck = false;
    clock.advance(1);
    await settle();
    expect(failures).toEqual(["slow: OBSERVER_SILENT"]);
    clock.advance(1_000);
    await settle();
    expect(await left("slow")).toEqual([]);
  });
});

describe("a receipt", () => {
  test("of a process that was killed before its observer heard is heard by the next", async () => {
    const killed = openProcess([{ name: "one", onReceiptSealed: () => new Promise(() => {}) }]);
    await killed.seal(1, 2);
    killed.observed.close();
    const { observer, turns } = createHearer();
    const next = openProcess([observer], killed);
    await next.observed.look();
    expect(turns()).toEqual([1, 2]);
    expect(await next.left()).toEqual([]);
  });

  test("that was heard and not acknowledged is heard again, under the same id", async () => {
    const { observer, heard } = createHearer();
    const clock = manualClock();
    const stores = memoryStores(clock);
    const { outbox } = stores;
    let isKilled = true;
    const dying: Stores = {
      ...stores,
      outbox: {
        ...outbox,
        list: outbox?.list ?? (async () => []),
        acknowledge: async (...row) => {
          if (isKilled) throw new Error("killed");
          await outbox?.acknowledge(...row);
        },
      },
    };
    const first = openProcess([observer], { stores: dying, clock });
    await first.seal(1);
    first.observed.close();
    isKilled = false;
    const next = openProcess([observer], { stores, clock });
    await next.observed.look();
    expect(heard.map(({ id }) => id)).toEqual([sampleReceipt(1).id, sampleReceipt(1).id]);
    expect(await next.left()).toEqual([]);
  });

  test("is heard at least once where two processes look at once", async () => {
    const [one, other] = [createHearer(), createHearer()];
    const first = openProcess([one.observer]);
    const second = openProcess([other.observer], first);
    await first.seal(1, 2, 3);
    await Promise.all([first.observed.look(), second.observed.look()]);
    expect(new Set([...one.turns(), ...other.turns()])).toEqual(new Set([1, 2, 3]));
    expect(await first.left()).toEqual([]);
  });

  test("of a turn before the observer was there is not heard", async () => {
    const before = openProcess([]);
    await before.seal(1);
    const { observer, heard } = createHearer();
    await openProcess([observer], before).observed.look();
    expect(heard).toEqual([]);
  });
});

describe("observers are refused", () => {
  const named = (name: string): Observer => ({ name });
  const many = (count: number) => Array.from({ length: count }, (_, index) => named(`o${index}`));

  test.each<[string, readonly Observer[]]>([
    ["with a name twice", [named("a"), named("a")]],
    ["without a name", [named("")]],
    ["over OBSERVERS_MAX", many(OBSERVERS_MAX + 1)],
    ["with a long name", [named("x".repeat(OBSERVER_NAME_LENGTH_MAX + 1))]],
  ])("%s", (_, observers) => {
    expect(() => openProcess(observers)).toThrow(
      expect.objectContaining({ code: "OBSERVER_REFUSED" }),
    );
  });

  test("for receipts where the store has no outbox", () => {
    const { outbox: _, ...stores } = memoryStores(systemClock);
    const { observer } = createHearer();
    expect(() => openProcess([observer], { stores })).toThrow(/has no outbox/);
    expect(() => openProcess([named("a")], { stores })).not.toThrow();
  });

  test("not at OBSERVERS_MAX, nor with a name of OBSERVER_NAME_LENGTH_MAX", () => {
    const longest = named("x".repeat(OBSERVER_NAME_LENGTH_MAX));
    expect(() => openProcess([longest, ...many(OBSERVERS_MAX - 1)])).not.toThrow();
  });
});

async function countEvents(events: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of events) count += 1;
  return count;
}
