/**
 * A report before a run goes on: the changes since it was started, and its open actions.
 *
 * It decides nothing by itself. A run whose loops are not here is left blocked, and the kernel sees
 * to that; this check reports it beforehand.
 */

import type { OpenClaim, RunProjection } from "@turnseal/folds";
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
import { openDriftFinder, type RootDrift } from "../drift/drift-finder.ts";
import { registerPlanOf } from "../state/register-plan.ts";

/** Something that is not what it was: `now` is null when it is gone. */
export interface Drift {
  readonly name: string;
  readonly recorded: string;
  readonly now: string | null;
}

export interface ResumeCheck {
  readonly run: string;
  /** Loops whose digest differs from the pinned one. */
  readonly loops: readonly Drift[];
  /** Tools whose build differs from the latest recorded one. */
  readonly tools: readonly Drift[];
  /** Models that the latest claims recorded and that no prompt of the run asks any more. */
  readonly models: readonly Drift[];
  /** The semantics of the open turn, if this kernel does not support it. */
  readonly semantics: Drift | null;
  readonly isGrantExpired: boolean;
  /** Unsettled claims. */
  readonly open: readonly OpenClaim[];
  /** The drift of the managed files of the run. It does not block a run. */
  readonly world: readonly RootDrift[];
  /** Parts that the run was started with and that are missing here. */
  readonly lack: Block | null;
  /** True if the run can go on here; its files do not matter. */
  readonly isSafe: boolean;
}

export interface ResumePorts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
}

/** Compares a run with the loops, tools and files that it would resume with. */
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
  return openDriftFinder(run, { stores, roots: tools.roots }).find(artifacts);
}

function findLoopDrift({ pinned }: RunSpec, registry: Registry): Drift[] {
  const drifts = Object.values(pinned).flatMap(({ id, version, digest }) => {
    const now = registry.resolve(id, version)?.digest ?? null;
    return now === digest ? [] : [{ name: `${id} ${version}`, recorded: digest, now }];
  });
  return dropRepeated(drifts);
}

/** Tools of the runtime are bound nowhere: every worker has them. */
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
    // A person has approved the code of that time.
    if (event.type !== "action.claimed" && event.type !== "approval.requested") continue;
    const { content } = event;
    if (content.action === "tool" && !isOwnTool(content.tool))
      recorded.set(content.tool, content.build);
  }
  // Two versions of a tool have one name: a claim does not name its version.
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
