/** The turns of a test as a run has them: behind a start, each after the decision for it. */
import {
  hashEvent,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";

/** The names of fields that hold the number of an event. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...["claim", "approval", "question", "plan", "supersedes", "asked", "signal", "replaces"],
]);

export function standInRun(events: readonly LoopEvent[]): object[] {
  const [first] = events;
  if (first?.type !== "turn.started") return [...events];
  const { run, at, content } = first;
  const bounds = { turnsMax: 9, failuresMax: 9, resumesMax: 9 };
  const spec = { loop: content.loop, version: content.version, grant: content.grant };
  const moved = new Map<JsonValue | undefined, JsonValue>();
  const placed: { readonly hash: string }[] = [];
  const place = (event: object): void => {
    const sequence = placed.length + 1;
    const draft = { ...event, sequence, previous: placed.at(-1)?.hash ?? "" };
    const unsigned = { run, epoch: 1, ...draft } as unknown as Parameters<typeof hashEvent>[0];
    placed.push({ ...unsigned, hash: hashEvent(unsigned) });
  };
  const host = { at, actor: { kind: "host", id: "host" } };
  place({
    ...{ id: "start", type: "run.started", ...host },
    content: { key: "start", input: content.input, spec: { ...spec, bounds, pinned: {} } },
  });
  for (const { hash, sequence, ...event } of events) {
    const going = { decision: "continue", reason: "first-turn", receipt: null };
    if (event.type === "turn.started")
      place({ id: `go ${sequence}`, type: "run.decided", ...host, content: going });
    place({ ...event, content: follow(event.content as JsonObject, moved) });
    moved.set(hash, placed.at(-1)?.hash ?? "");
    moved.set(sequence, placed.length);
  }
  return placed;
}

/** Numbers and hashes of events that were moved. */
function follow(content: JsonObject, moved: ReadonlyMap<unknown, JsonValue>): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      if (isPlainObject(value)) return [name, follow(value as JsonObject, moved)];
      const isNamed = typeof value === "string" || NUMBERS.has(name);
      return [name, (isNamed ? moved.get(value) : undefined) ?? value];
    }),
  );
}
