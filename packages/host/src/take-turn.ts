/** One turn of a run: begun with what the run knows, or gone on with from its record. */
import {
  closeStalledTurn,
  runTurn,
  SEMANTICS,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from "@turnseal/kernel";
import {
  type Actor,
  type BlobRef,
  invariant,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import type { Carrier } from "./carrier.ts";
import { collectEvents } from "./load-projection.ts";
import { loadRules } from "./load-rules.ts";
import { decideNext } from "./next/decide-next.ts";
import type { OpenTurn } from "./projection/run-projection.ts";
import { takeCancel } from "./take-inbox.ts";
import { turnGuidance } from "./turn-guidance.ts";

const host: Actor = { kind: "host", id: "host" };

/** Begins the next turn, or goes on with the open one. */
export async function takeTurn(carrier: Carrier, isResumed: boolean): Promise<TurnResult> {
  const { appender, projection, stores } = carrier;
  const { spec, openTurn, input: inputRef, lastReceipt } = projection();
  invariant(spec !== null && inputRef !== null, "a run has started");
  const before = openTurn === null ? [] : await readOpenTurn(carrier, openTurn.from);
  const semantics = Number(before[0]?.content["semantics"] ?? SEMANTICS);
  // Whoever does not speak them leaves the turn as it is, uncounted.
  if (semantics !== SEMANTICS) return { kind: "unspoken", semantics };
  const recorded = openTurn === null ? [] : [...before, await noteResume(carrier, openTurn)];
  const turn = openTurn?.turn ?? projection().turns + 1;
  const guidance = await turnGuidance(projection(), turn, { appender, recorded, stores });
  const request: TurnRequest = {
    run: appender.run,
    turn,
    loop: spec.loop,
    version: spec.version,
    pinned: spec.pinned,
    grant: spec.grant,
    previousReceipt: lastReceipt,
    ...(spec.parent === undefined ? {} : { parent: spec.parent }),
    recorded,
    input: openTurn === null ? await nextInput(carrier) : await readTurnInput(carrier, recorded),
    ...(guidance === undefined ? {} : { guidance }),
  };
  const ports: TurnPorts = {
    ...carrier,
    prices: carrier.prices,
    spending: () => projection().spending,
    rules: await loadRules(projection(), carrier),
    takeCancel: () =>
      takeCancel({ appender, inbox: stores.inbox, projection, registry: carrier.registry }),
  };
  const isStalled = isResumed && openTurn !== null && openTurn.resumes >= spec.bounds.resumesMax;
  return isStalled ? closeStalledTurn(request, ports) : runTurn(request, ports);
}

/** The record of the open turn. */
async function readOpenTurn({ appender, stores }: Carrier, from: number): Promise<LoopEvent[]> {
  await appender.flush();
  return collectEvents(stores.log, appender.run, from);
}

/** Counts the resume before anything is tried: what is tried may take this worker down too. */
async function noteResume({ appender }: Carrier, open: OpenTurn): Promise<LoopEvent> {
  const { turn, resumes } = open;
  const resumed = appender.push(() => ({
    type: "turn.resumed",
    turn,
    actor: host,
    content: { resumes: resumes + 1 },
  }));
  await appender.flush();
  return resumed;
}

async function readTurnInput(
  { appender }: Carrier,
  recorded: readonly LoopEvent[],
): Promise<JsonValue> {
  const reference = recorded[0]?.content["input"];
  invariant(typeof reference === "object" && reference !== null, "a turn has an input");
  return appender.content.read(reference as unknown as BlobRef);
}

async function nextInput({ appender, projection }: Carrier): Promise<JsonValue> {
  const { spec, input, lastTurn, signals, turns } = projection();
  invariant(spec !== null && input !== null, "a run has started");
  const { nextInput: mapping, awaits } = spec.bounds;
  const { content } = appender;
  // Until a signal has begun a turn, every turn is the first one tried again.
  const isFirst = turns === 0 || awaits?.every((name) => !Object.hasOwn(signals, name)) === true;
  if (mapping === undefined || isFirst) return content.read(input);
  const payloads: [string, JsonValue][] = [];
  for (const [name, payload] of Object.entries(signals))
    payloads.push([name, await content.read(payload)]);
  const output = lastTurn?.output == null ? null : await content.read(lastTurn.output);
  const next = decideNext(mapping, {
    input: await content.read(input),
    output,
    turn: turns,
    signals: Object.fromEntries(payloads),
  });
  // A mapping that leads nowhere gives the turn nothing: its loop's schema then refuses it, and the
  // refusal is sealed.
  return next.kind === "input" ? next.input : {};
}
