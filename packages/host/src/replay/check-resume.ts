/**
 * What somebody should know before a run goes on: what has changed since it was started, and what
 * is open.
 *
 * It decides nothing by itself. A run whose loops are not here is left blocked, and the kernel sees
 * to that; here it is said before.
 */
import { type BoundTools, findTurnLoops, type Registry, SEMANTICS } from "@turnseal/kernel";
import { type Clock, type Model, READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import {
  type Block,
  type ContentOf,
  type LoopEvent,
  listBackends,
  nameAction,
  type RunSpec,
} from "@turnseal/protocol";
import { openRunWorld, type RootDrift } from "../drift/run-world.ts";
import type { OpenClaim, RunProjection } from "../projection/run-projection.ts";
import { registerPlanOf } from "../register-plan.ts";

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
  /** Tools whose build differs from the one that the latest claims and requests recorded. */
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
  /** What became of the files that the run manages. It keeps no run from going on. */
  readonly world: readonly RootDrift[];
  /** What is missing here that the run was started with. */
  readonly lack: Block | null;
  /** True when the run can go on here, whatever has become of its files. */
  readonly isSafe: boolean;
}

export interface ResumePorts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
}

/** Compares a run with what would carry it on now. */
export async function checkResume(
  projection: RunProjection & { readonly spec: RunSpec },
  ports: ResumePorts,
): Promise<ResumeCheck> {
  const { run, spec, sequence, openTurn } = projection;
  await registerPlanOf(projection, ports);
  // The latest claims are enough to compare with, and reading them costs the same for a run of any
  // length.
  const from = Math.max(1, sequence - READ_EVENTS_MAX + 1);
  const events = await ports.stores.log.read(run, from);
  const loops = findLoopDrift(spec, ports.registry);
  const semantics = openTurn === null ? null : findSemanticsDrift(events, openTurn.turn);
  const found = findTurnLoops({ ...spec, recorded: [] }, ports);
  const { expiresAt } = spec.grant;
  return {
    run,
    loops,
    tools: findToolDrift(events, spec, ports),
    models: findModelDrift(events, spec, ports),
    semantics,
    isGrantExpired: expiresAt !== undefined && ports.clock.now() >= Date.parse(expiresAt),
    open: openTurn?.open ?? [],
    world: await lookAround(projection, ports),
    lack: found.kind === "blocked" ? found.block : null,
    isSafe: found.kind === "found" && semantics === null,
  };
}

function lookAround(
  { run, artifacts = {} }: RunProjection,
  { stores, tools }: ResumePorts,
): Promise<readonly RootDrift[]> {
  return openRunWorld(run, { stores, roots: tools.roots }).look(artifacts);
}

function findLoopDrift({ pinned }: RunSpec, registry: Registry): Drift[] {
  const drifts = Object.values(pinned).flatMap(({ id, version, digest }) => {
    const now = registry.resolve(id, version)?.digest ?? null;
    return now === digest ? [] : [{ name: `${id} ${version}`, recorded: digest, now }];
  });
  return dropRepeated(drifts);
}

/** Tools of the runtime are bound nowhere, and come with whoever carries the run. */
function isOwnTool(name: string): boolean {
  return name.startsWith("turnseal.");
}

function findToolDrift(
  events: readonly LoopEvent[],
  { pinned }: RunSpec,
  { registry, tools }: ResumePorts,
): Drift[] {
  const builds = new Map<string, string[]>();
  for (const { id, version } of Object.values(pinned)) {
    const name = registry.resolve(id, version)?.definition.tool?.implementation;
    const build = name === undefined ? undefined : tools.find(name, version)?.build;
    if (name === undefined || build === undefined) continue;
    builds.set(name, [...(builds.get(name) ?? []), build]);
  }
  const recorded = new Map<string, string>();
  for (const event of events) {
    // A person has approved the code that was there when it was asked for.
    if (event.type !== "action.claimed" && event.type !== "approval.requested") continue;
    const { content } = event;
    if (content.action === "tool" && !isOwnTool(content.tool))
      recorded.set(content.tool, content.build);
  }
  // Two versions of a tool have one name: a claim does not say of which it was.
  return [...recorded].flatMap(([name, build]) => {
    const now = builds.get(name) ?? [];
    return now.includes(build) ? [] : [{ name, recorded: build, now: now[0] ?? null }];
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
  const drifts = listClaims(events).flatMap((content) => {
    if (content.action !== "model") return [];
    const { backend } = content;
    const recorded = nameAction(content);
    if (asked.has(recorded)) return [];
    const now = [...asked].find(([, other]) => other === backend)?.[0] ?? null;
    return [{ name: backend, recorded, now }];
  });
  return dropRepeated(drifts);
}

function findSemanticsDrift(events: readonly LoopEvent[], turn: number): Drift | null {
  const started = events
    .filter((event) => event.type === "turn.started")
    .find((event) => event.turn === turn);
  const recorded = started?.content.semantics ?? SEMANTICS;
  if (recorded === SEMANTICS) return null;
  return { name: "semantics", recorded: String(recorded), now: String(SEMANTICS) };
}

function listClaims(events: readonly LoopEvent[]): ContentOf<"action.claimed">[] {
  return events.flatMap((event) => (event.type === "action.claimed" ? [event.content] : []));
}

function dropRepeated(drifts: readonly Drift[]): Drift[] {
  return [...new Map(drifts.map((drift) => [`${drift.name} ${drift.recorded}`, drift])).values()];
}
