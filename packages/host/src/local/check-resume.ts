/**
 * What somebody should know before a run goes on: what has changed since it was started, and what
 * is open.
 *
 * It decides nothing by itself. A loop that changed ends the turn as drifted, and the kernel sees
 * to that; here it is said before.
 */
import { type Registry, SEMANTICS } from "@turnseal/kernel";
import {
  type Clock,
  type EventLog,
  type Model,
  READ_EVENTS_MAX,
  type ToolBinding,
} from "@turnseal/ports";
import { type LoopEvent, listBackends, type RunSpec } from "@turnseal/protocol";
import type { OpenClaim, RunProjection } from "../projection/run-projection.ts";

/** Something that is not what it was: `now` is null when it is gone. */
export interface Drift {
  readonly name: string;
  readonly recorded: string;
  readonly now: string | null;
}

export interface ResumeCheck {
  readonly run: string;
  /** Loops whose digest differs from the one that was pinned. */
  readonly loops: readonly Drift[];
  /** Tools whose build differs from the one that the latest claims recorded. */
  readonly tools: readonly Drift[];
  /** Models that the latest claims recorded and that no prompt of the run asks any more. */
  readonly models: readonly Drift[];
  /**
   * The meaning of flows under which the open turn was begun, when this kernel does not speak it.
   */
  readonly semantics: Drift | null;
  readonly isGrantExpired: boolean;
  /** Claims that nobody settled. */
  readonly open: readonly OpenClaim[];
  /** True when going on does not end the run for something that changed. */
  readonly isSafe: boolean;
}

export interface ResumePorts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: ReadonlyMap<string, ToolBinding>;
}

/** Compares a run with what would carry it on now. */
export async function checkResume(
  { run, spec, sequence, openTurn }: RunProjection & { readonly spec: RunSpec },
  ports: ResumePorts,
): Promise<ResumeCheck> {
  // The latest claims are enough to compare with, and reading them costs the same for a run of any
  // length.
  const from = Math.max(1, sequence - READ_EVENTS_MAX + 1);
  const events = await ports.log.read(run, from);
  const loops = findLoopDrift(spec, ports.registry);
  const semantics = openTurn === null ? null : findSemanticsDrift(events, openTurn.turn);
  const { expiresAt } = spec.grant;
  return {
    run,
    loops,
    tools: findToolDrift(events, ports.tools),
    models: findModelDrift(events, spec, ports),
    semantics,
    isGrantExpired: expiresAt !== undefined && ports.clock.now() >= Date.parse(expiresAt),
    open: openTurn?.open ?? [],
    isSafe: loops.length === 0 && semantics === null,
  };
}

function findLoopDrift({ pinned }: RunSpec, registry: Registry): Drift[] {
  const drifts = Object.values(pinned).flatMap(({ id, version, digest }) => {
    const now = registry.resolve(id, version)?.digest ?? null;
    return now === digest ? [] : [{ name: `${id} ${version}`, recorded: digest, now }];
  });
  return dropRepeated(drifts);
}

function findToolDrift(
  events: readonly LoopEvent[],
  tools: ReadonlyMap<string, ToolBinding>,
): Drift[] {
  const recorded = new Map<string, string>();
  for (const { content } of listClaims(events, "tool")) {
    recorded.set(String(content["tool"]), String(content["build"]));
  }
  return [...recorded].flatMap(([name, build]) => {
    const now = tools.get(name)?.build ?? null;
    return now === build ? [] : [{ name, recorded: build, now }];
  });
}

function findModelDrift(
  events: readonly LoopEvent[],
  { pinned }: RunSpec,
  { registry, models }: ResumePorts,
): Drift[] {
  const asked = new Map<string, string>();
  for (const { id, version } of Object.values(pinned)) {
    const definition = registry.resolve(id, version)?.definition;
    if (definition?.kind !== "prompt") continue;
    for (const backend of listBackends(definition)) {
      const model = backend.model ?? models.get(backend.id)?.defaultModel;
      if (model !== undefined) asked.set(`${backend.id}/${model}`, backend.id);
    }
  }
  const drifts = listClaims(events, "model").flatMap(({ content }) => {
    const backend = String(content["backend"]);
    const recorded = `${backend}/${content["model"]}`;
    if (asked.has(recorded)) return [];
    const now = [...asked].find(([, other]) => other === backend)?.[0] ?? null;
    return [{ name: backend, recorded, now }];
  });
  return dropRepeated(drifts);
}

function findSemanticsDrift(events: readonly LoopEvent[], turn: number): Drift | null {
  const started = events.find((event) => event.type === "turn.started" && event.turn === turn);
  const recorded = Number(started?.content["semantics"] ?? SEMANTICS);
  if (recorded === SEMANTICS) return null;
  return { name: "semantics", recorded: String(recorded), now: String(SEMANTICS) };
}

function listClaims(events: readonly LoopEvent[], action: "tool" | "model"): LoopEvent[] {
  return events.filter(
    ({ type, content }) => type === "action.claimed" && content["action"] === action,
  );
}

function dropRepeated(drifts: readonly Drift[]): Drift[] {
  return [...new Map(drifts.map((drift) => [`${drift.name} ${drift.recorded}`, drift])).values()];
}
