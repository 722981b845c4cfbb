/**
 * A run as a harness file: its inputs, its messages and its results. Identities become pseudonyms,
 * and people's own words are left out.
 */
import type { CheckedLoop } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type EventOf,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type Policy,
  type RunSpec,
} from "@turnseal/protocol";
import { describeRun } from "./describe-run.ts";
import type { Expectation, Harness } from "./harness.ts";
import { FixtureError, type RunTree, readTree } from "./read-tree.ts";
import { recordModel, recordTools } from "./record-scripts.ts";
import { createPseudonyms, type Pseudonyms, recordSignals, recordWords } from "./record-words.ts";

export interface FixtureSource {
  readonly run: string;
  readonly stores: Stores;
  /** Where its loops are, from the folder of the file. */
  readonly from: readonly string[];
  /** The loops of the host: the documents of called ones are kept. */
  readonly loops?: readonly CheckedLoop[];
}

/** Makes the harness; throws a `FixtureError` for a run that cannot be repeated. */
export async function makeFixture(source: FixtureSource): Promise<Harness> {
  const { run, stores, from } = source;
  const tree = await readTree(run, stores);
  const [started] = tree.events;
  if (started?.type !== "run.started") throw new FixtureError("the run has not begun");
  const { spec } = started.content;
  if (spec.parent !== undefined)
    throw new FixtureError(`make it of the run above, ${spec.parent.run}`);
  const nameOf = createPseudonyms();
  const grantor = nameOf(spec.grant.grantor);
  const tools = await recordTools(tree);
  const signals = await recordSignals(tree, nameOf);
  const caller = await recordWords(tree, nameOf);
  const model = await recordModel(tree);
  return {
    name: `${spec.loop} as run ${run.slice(0, 8)}`,
    loop: spec.loop,
    version: spec.version,
    from,
    ...keepCalled(source.loops ?? [], tree),
    startsAt: started.at,
    input: await tree.read(started, started.content.input),
    ...(started.actor.kind === "person" ? { by: nameOf(started.actor.id) } : {}),
    grant: { ...spec.grant, grantor },
    ...(await readRules(tree, started)),
    ...(await readDocuments(tree, started, spec)),
    bounds: spec.bounds,
    ...(model.length === 0 ? {} : { model }),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    ...(signals.length === 0 ? {} : { signals }),
    ...(caller.length === 0 ? {} : { caller }),
    expect: await expectSame(tree, stores, nameOf),
  };
}

function keepCalled(loops: readonly CheckedLoop[], { all }: RunTree): Pick<Harness, "loops"> {
  const called = new Set(
    all.flatMap(({ type, content }) => (type === "call.started" ? [content.digest] : [])),
  );
  const kept = loops.filter(({ digest }) => called.has(digest));
  return kept.length === 0 ? {} : { loops: kept.map(({ definition }) => definition) };
}

type RunStarted = EventOf<"run.started">;

async function readRules(tree: RunTree, started: RunStarted): Promise<Pick<Harness, "policy">> {
  const { policy } = started.content;
  if (policy === undefined) return {};
  return { policy: (await tree.read(started, policy)) as unknown as Policy };
}

async function readDocuments(
  tree: RunTree,
  started: RunStarted,
  { guidance = [] }: RunSpec,
): Promise<Pick<Harness, "guidance">> {
  if (guidance.length === 0) return {};
  const texts = (await tree.read(started, started.content.guidance)) as readonly string[];
  return { guidance: guidance.map(({ ref }, index) => ({ ref, text: texts[index] ?? "" })) };
}

/** The result without parts that always differ, since receipts are sealed under other keys. */
async function expectSame(
  { run, events }: RunTree,
  stores: Stores,
  nameOf: Pseudonyms,
): Promise<Expectation> {
  const described = await describeRun(run, stores);
  const { stopped, waiting, handoffs } = described;
  const isAsked = [waiting, handoffs].some((list) => Array.isArray(list) && list.length > 0);
  if (stopped === undefined && !isAsked)
    throw new FixtureError(
      "the run has neither stopped nor waits for anything that a test can say: resume it first",
    );
  // A signal in the middle of a turn is sent between turns: its place among the events is another.
  const isEarly = events.some(
    ({ type, turn, content }) =>
      type === "signal.received" && turn !== undefined && content.kind === "signal",
  );
  const kept = withoutPassing(described, nameOf) as JsonObject;
  const { events: types, loop: _, ...rest } = kept;
  return { ...rest, ...(isEarly || types === undefined ? {} : { events: types }) } as Expectation;
}

function withoutPassing(value: JsonValue, nameOf: Pseudonyms): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutPassing(item as JsonValue, nameOf));
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, field]): [string, JsonValue][] => {
    if (name === "receipt") return [];
    if (name === "output" || name === "request") return [[name, field as JsonValue]];
    if (name === "approvedBy" && Array.isArray(field))
      return [[name, field.map((id) => nameOf(String(id)))]];
    return [[name, withoutPassing(field as JsonValue, nameOf)]];
  });
  return Object.fromEntries(kept);
}
