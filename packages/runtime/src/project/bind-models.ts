/**
 * The models for a call: those of its modules, those of the environment for other backends, and
 * none for the scripted one.
 *
 * Providers are only loaded when a loop that can be reached names one. A backend that is not set up
 * is found before anything runs: a composite must not fail at its last step for a missing key.
 */

import { type Finding, placeOf, type Source } from "@turnseal/documents";
import { listUnboundBackends, type Unbound } from "@turnseal/host";
import type { CheckedLoop } from "@turnseal/kernel";
import type { Model } from "@turnseal/ports";
import { findNearest, listBackends } from "@turnseal/protocol";
import type { Target } from "./loops/find-target.ts";
import { listInvolved } from "./loops/list-reachable.ts";
import { findSource, type LoadedLoops } from "./loops/load-loops.ts";

export interface BoundModels {
  readonly models: Readonly<Record<string, Model>>;
  readonly problems: readonly Finding[];
  /** The prompts that the scripted model answers, each with the reason. */
  readonly scripted: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Backends that the scripted model answers if no other model is bound. */
const SCRIPTED: ReadonlySet<string> = new Set(["scripted", "mock"]);

/** A backend of a prompt. */
interface Place {
  readonly loop: CheckedLoop;
  readonly backend: string;
  /** As it is written there, if it is. */
  readonly named: string | undefined;
}

/** Binds what the loop to call and everything below it ask for. */
export async function bindModels(target: Target, environment: Environment): Promise<BoundModels> {
  const brought = target.loaded.models;
  const reachable = listInvolved(target);
  const places = reachable.flatMap(listPlaces).filter(({ backend }) => !brought.has(backend));
  const asking = places.filter(({ backend }) => !SCRIPTED.has(backend));
  const scripted = brought.has("scripted")
    ? []
    : places.filter(({ backend }) => SCRIPTED.has(backend));
  const names = [...new Set(scripted.map(describeScripted))];
  const own = Object.fromEntries(brought);
  if (asking.length === 0) return { models: own, problems: [], scripted: names };
  const { ENVIRONMENT_BACKENDS, modelsFromEnvironment } = await import("@turnseal/adapters/models");
  const models = { ...modelsFromEnvironment(environment), ...own };
  const bound = { has: (id: string) => SCRIPTED.has(id) || Object.hasOwn(models, id) };
  const unbound = reachable.flatMap((loop) => listUnboundBackends(loop, bound));
  const problems = unbound.flatMap((found) => {
    const source = findSource(target.loaded, found.loop);
    return source === undefined ? [] : [toFinding(found, source, ENVIRONMENT_BACKENDS)];
  });
  return { models, problems, scripted: names };
}

/** Finds prompts whose backend has no model in any module or environment. */
export async function checkBackends({ entries, models }: LoadedLoops): Promise<Finding[]> {
  const { ENVIRONMENT_BACKENDS } = await import("@turnseal/adapters/models");
  const known = new Set([
    ...SCRIPTED,
    ...models.keys(),
    ...ENVIRONMENT_BACKENDS.map(({ id }) => id),
  ]);
  return entries.flatMap(({ loop, source }) =>
    listUnboundBackends(loop, known).map((found) => toFinding(found, source, ENVIRONMENT_BACKENDS)),
  );
}

function listPlaces(loop: CheckedLoop): Place[] {
  const { kind, backend, policy } = loop.definition;
  if (kind !== "prompt") return [];
  return listBackends(loop.definition).map(({ id }, index) => ({
    ...{ loop, backend: id, named: (policy?.routes?.[index] ?? backend)?.id },
  }));
}

function describeScripted({ loop: { definition }, named }: Place): string {
  return `${definition.id} (${named === undefined ? "no backend named" : `backend ${named}`})`;
}

interface KnownBackend {
  readonly id: string;
  readonly switchVariable: string;
}

function toFinding(
  { name, path, message }: Unbound,
  source: Source,
  known: readonly KnownBackend[],
): Finding {
  const variable = known.find(({ id }) => id === name)?.switchVariable;
  const ids = known.map(({ id }) => id);
  const meant = findNearest(name, ids) ?? `one of ${ids.join(", ")}`;
  const wish = variable === undefined ? `name ${meant}` : `set ${variable} in the environment`;
  return {
    ...placeOf(source, path),
    rule: "backend-unbound",
    path,
    message,
    mend: `${wish}, or name mock for the scripted model`,
  };
}
