/**
 * Runs whose effect groups differ from their commit: made by the kernel, and the same with one
 * thing changed, as a kernel that errs, or a thief of a key, could make it.
 */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { Grant, JsonObject, JsonValue, Policy, RawEvent } from "@turnseal/protocol";
import { defineComposite, defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { DEMO_KEY, type Finding } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import { type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { type MadeRun, sealRun } from "./seal-events.ts";

export interface GroupedRuns {
  /** Three members, all done. */
  readonly all: MadeRun;
  /** The last fails, and the two before it are taken back. */
  readonly none: MadeRun;
  /** The last fails, and the others stay: a person is asked. */
  readonly part: MadeRun;
  /** The last fails, and only the first of the two before it can be taken back. */
  readonly around: MadeRun;
  /**
   * The same as the part. A manager who did not start the run approved it, and was asked about the
   * rest.
   */
  readonly asked: MadeRun;
}

/** A manager who did not start the run approves the second, and so all of them. */
const POLICY: Policy = {
  name: "rules",
  rules: [
    {
      ...{ id: "second", tools: ["local.b"], decision: "ask" },
      ...{ role: "manager", exclude: ["starter"] },
    },
    { id: "rest", decision: "allow" },
  ],
};

const anything = jsonSchema<JsonValue>(true);
const names = ["a", "b", "c"] as const;

export async function makeGroupedRuns(): Promise<GroupedRuns> {
  return {
    all: await carryOut({ isLastBad: false, undone: names }),
    none: await carryOut({ isLastBad: true, undone: names }),
    part: await carryOut({ isLastBad: true, undone: [] }),
    around: await carryOut({ isLastBad: true, undone: ["a", "c"] }),
    asked: await carryOut({ isLastBad: true, undone: [], policy: POLICY }),
  };
}

interface Conduct {
  readonly isLastBad: boolean;
  /** The members with a declared compensation. */
  readonly undone: readonly string[];
  /** What the rules want. */
  readonly policy?: Policy;
}

async function carryOut({ isLastBad, undone, policy }: Conduct): Promise<MadeRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const make = (id: string) =>
    defineTool({
      ...{ id, version: "1.0.0", effect: "idempotent", build: "1" },
      input: anything,
      output: anything,
      run: (input) => {
        if (id === "c" && isLastBad) throw notDone("no room");
        return input;
      },
      ...(undone.includes(id)
        ? { compensate: { effect: "idempotent" as const, build: "1", run: () => null } }
        : {}),
    });
  const [first, second, third] = [make("a"), make("b"), make("c")];
  const desk = defineComposite({
    ...{ id: "desk", version: "1.0.0" },
    input: jsonSchema<JsonObject>({ type: "object" }),
    output: anything,
    flow: (flow) =>
      flow.group("all", (group) =>
        group
          .call("first", first, () => ({}) as never)
          .call("second", second, () => ({}) as never)
          .call("third", third, () => ({}) as never),
      ),
  });
  const tools = names.flatMap((name) => [`local.${name}`, `local.${name}.undo`]);
  const grant: Grant = { grantor: "alice", tools: [...tools, "turnseal.group"], budget: {} };
  const [signer, ids] = [createSeededSigner(), seededIds("groups")];
  const host = createLocalHost({ loops: [desk], stores, signer, clock, ids });
  const bounds = { turnsMax: 1 };
  const rules = policy === undefined ? {} : { policy, by: "alice" };
  const run = await host.start(desk, {} as never, { key: "grouped", grant, bounds, ...rules });
  await host.advance(run);
  const by = { id: "bob", roles: policy === undefined ? [] : ["manager"] };
  const [card] = policy === undefined ? [] : await host.requests(run);
  if (card !== undefined) await host.decide(run, card.id, { choice: "approve", by });
  if (card !== undefined) await host.advance(run);
  const [asked] = await host.requests(run);
  if (asked !== undefined) await host.answer(run, asked.id, { answer: { rest: "stays" }, by });
  await host.advance(run);
  return readRun(stores, run);
}

/** The runs as they are, and what is found in them when they are not. */
export function breakGroups({ all, none, part, around, asked }: GroupedRuns): ReceiptVector[] {
  const isCommit = ({ content: { tool } }: RawEvent) => tool === "turnseal.group";
  const isTaking = ({ content: { takesBack } }: RawEvent) => takesBack !== undefined;
  const closes = ({ type }: RawEvent) => type === "group.closed";
  return [
    accept("group-all", "A group that was committed, and done whole.", all),
    accept("group-none", "A group of which the last failed, and the others were taken back.", none),
    accept("group-part", "A group of which a part stays, and a person was asked.", part),
    accept(
      "group-taken-back-around-one",
      "A group of which the second stays, since nothing takes it back; the first was taken back.",
      around,
    ),
    accept("group-asked", "The same, approved by a manager, who was asked about the part.", asked),
    reject(
      "group-committed-without-a-member",
      "What commits the group names two of the three that are held.",
      change(all, isCommit, ({ group }) => ({ group: dropMember(toObject(group)) })),
    ),
    reject(
      "group-not-committed",
      "Members act, and what commits the group has failed.",
      change(all, settlesCommit(all), () => ({ status: "failed" })),
    ),
    reject(
      "group-said-to-be-none",
      "All was done, and the group is closed as none.",
      change(all, closes, () => ({ outcome: "none" })),
    ),
    reject(
      "group-end-of-a-member-forged",
      "One was taken back, and is said to be done.",
      change(none, closes, ({ members }) => ({ members: forgeFirst(members) })),
    ),
    reject(
      "group-left-open",
      "The turn is closed, and its group is not.",
      seal(
        all,
        all.events.filter((event) => !closes(event)),
      ),
    ),
    reject(
      "group-part-that-nobody-was-asked-about",
      "A part stays, and the end of the group names no question.",
      change(part, closes, () => ({ asked: undefined })),
    ),
    reject(
      "group-taken-back-in-order",
      "What was done is taken back in the order in which it was done.",
      change(none, isTaking, ({ takesBack }) => ({ takesBack: swapKeys(none, takesBack) })),
    ),
    reject(
      "group-member-of-another-effect",
      "What is held acts once, and nobody could find out what became of it.",
      change(
        all,
        ({ content: { tool } }) => tool === "local.a",
        () => ({ effect: "once" }),
      ),
    ),
  ];
}

type Wrong = readonly (readonly [code: Finding["code"], sequence: number])[];

/** The findings of each, written by hand: the codes, and the events of the findings. */
const WRONG: Readonly<Record<string, Wrong>> = {
  "group-committed-without-a-member": [["TURN_ORDER", 18]],
  "group-not-committed": [["TURN_ORDER", 40]],
  "group-said-to-be-none": [["TURN_ORDER", 38]],
  "group-end-of-a-member-forged": [["TURN_ORDER", 53]],
  "group-left-open": [["TURN_ORDER", 40]],
  "group-part-that-nobody-was-asked-about": [["TURN_ORDER", 43]],
  "group-taken-back-in-order": [["TURN_ORDER", 48]],
  "group-member-of-another-effect": [
    ["TURN_ORDER", 9],
    ["EFFECT_REPEATED", 20],
  ],
};

function accept(name: string, description: string, bundle: MadeRun): ReceiptVector {
  const expect = { verdict: "valid", valid: true, findings: [] } as const;
  return { name, description, input: { keys: [DEMO_KEY], bundle }, expect };
}

function reject(name: string, description: string, bundle: MadeRun): ReceiptVector {
  const findings = (WRONG[name] ?? []).map(([code, sequence]) => ({ code, sequence, turn: 1 }));
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle }, findings);
}

function settlesCommit({ events }: MadeRun) {
  const commit = events.find(({ content: { tool } }) => tool === "turnseal.group");
  return ({ type, content: { claim } }: RawEvent): boolean =>
    type === "action.settled" && claim === commit?.sequence;
}

function toObject(value: JsonValue | undefined): JsonObject {
  return (value ?? {}) as JsonObject;
}

function forgeFirst(members: JsonValue | undefined): JsonValue {
  const [first, ...rest] = (members ?? []) as readonly JsonObject[];
  return [{ ...first, end: "done" }, ...rest];
}

/** Each compensation takes back what the other should. */
function swapKeys({ events }: MadeRun, takesBack: JsonValue | undefined): JsonObject {
  const keys = events.flatMap(({ content: { takesBack: taken } }) =>
    taken === undefined ? [] : [toObject(taken)["key"] ?? null],
  );
  const own = toObject(takesBack);
  return { ...own, key: keys.find((key) => key !== own["key"]) ?? null };
}

function change(
  run: MadeRun,
  isMeant: (event: RawEvent) => boolean,
  make: (content: JsonObject) => Readonly<Record<string, JsonValue | undefined>>,
): MadeRun {
  return seal(
    run,
    run.events.map((event) => {
      if (!isMeant(event)) return event;
      const merged = Object.entries({ ...event.content, ...make(event.content) });
      const content = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
      return { ...event, content: content as JsonObject };
    }),
  );
}

function seal(run: MadeRun, events: readonly RawEvent[]): MadeRun {
  return sealRun({ ...run, events });
}

function dropMember(group: JsonObject): JsonObject {
  const { members } = group;
  return { ...group, members: Array.isArray(members) ? members.slice(0, -1) : [] };
}
