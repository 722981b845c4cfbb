/**
 * The models for a call: those that a module brought along, none for the scripted one, those of
 * the environment for the others.
 *
 * Providers are only loaded when a loop that can be reached names one. A backend that is not set up
 * is found before anything runs: a composite must not fail at its last step for a missing key.
 */
import type { CheckedLoop } from "@turnseal/kernel";
import type { Model } from "@turnseal/ports";
import type { Finding } from "../documents/finding.ts";
import { findSource } from "../documents/load-loops.ts";
import { placeOf, type Source } from "../documents/source.ts";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";

export interface BoundModels {
  readonly models: Readonly<Record<string, Model>>;
  readonly problems: readonly Finding[];
  /** The prompts that the scripted model answers, each with the reason. */
  readonly scripted: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const scriptedBackends: ReadonlySet<string> = new Set(["mock", "scripted"]);

/** Binds what the loop to call and everything below it ask for. */
export async function bindModels(target: Target, environment: Environment): Promise<BoundModels> {
  const brought = target.loaded.models;
  const prompts = listReachable(target).filter(
    ({ definition }) => definition.kind === "prompt" && !brought.has(backendOf(definition)),
  );
  const [scripted, asking] = [
    prompts.filter(isScripted),
    prompts.filter((loop) => !isScripted(loop)),
  ];
  const names = scripted.map(describeScripted);
  const own = Object.fromEntries(brought);
  if (asking.length === 0) return { models: own, problems: [], scripted: names };
  const { ENVIRONMENT_BACKENDS, modelsFromEnvironment } = await import("@turnseal/adapters/models");
  const models = { ...modelsFromEnvironment(environment), ...own };
  const unbound = asking.filter(({ definition }) => !Object.hasOwn(models, backendOf(definition)));
  const problems = unbound.flatMap((loop) => {
    const source = findSource(target.loaded, loop);
    return source === undefined ? [] : [toFinding(loop, source, ENVIRONMENT_BACKENDS)];
  });
  return { models, problems, scripted: names };
}

function isScripted({ definition }: CheckedLoop): boolean {
  return scriptedBackends.has(backendOf(definition));
}

function describeScripted({ definition: { id, backend } }: CheckedLoop): string {
  return `${id} (${backend === undefined ? "no backend named" : `backend ${backend.id}`})`;
}

function backendOf({ backend }: CheckedLoop["definition"]): string {
  return backend?.id ?? "mock";
}

interface KnownBackend {
  readonly id: string;
  readonly switchVariable: string;
}

function toFinding(
  { definition }: CheckedLoop,
  source: Source,
  known: readonly KnownBackend[],
): Finding {
  const id = backendOf(definition);
  const path = "/backend/id";
  const variable = known.find((backend) => backend.id === id)?.switchVariable;
  const names = known.map((backend) => backend.id).join(", ");
  const wish =
    variable === undefined ? `name one of ${names}` : `set ${variable} in the environment`;
  return {
    ...placeOf(source, path),
    rule: "backend-unbound",
    path,
    message: `${definition.id} asks the backend ${id}, which is not set up`,
    mend: `${wish}, or name mock for the scripted model`,
  };
}
