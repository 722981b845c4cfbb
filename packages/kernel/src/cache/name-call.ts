/**
 * Names what makes two calls equal (spec/context.md §8.3): the request, which the run has fixed,
 * and the code and models of the worker.
 */
import type { Model, ToolBinding } from "@turnseal/ports";
import {
  canonicalize,
  type Grant,
  hmacSha256Hex,
  type JsonObject,
  type JsonValue,
  listBackends,
  sha256Hex,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listBelow } from "../registry/list-below.ts";
import type { PinnedLoops } from "../registry/registry.ts";
import type { TurnGuidance } from "../values/turn-guidance.ts";

export interface CallSurroundings {
  readonly loops: PinnedLoops;
  readonly tools: {
    find(implementation: string, version: string): ToolBinding | undefined;
  };
  readonly models: ReadonlyMap<string, Model>;
  readonly guidance: TurnGuidance;
}

/** The loops below a loop, and the code and models that answer them here. */
export interface Reach {
  /** The other loops. */
  readonly below: JsonValue;
  /** The code of tools, and the models of prompts. */
  readonly brought: JsonObject;
  readonly hasTools: boolean;
  /** False where something is reached that may have an effect, or that nobody has bound. */
  readonly isPure: boolean;
}

export function measureReach(loop: CheckedLoop, { loops, tools, models }: CallSurroundings): Reach {
  const all = listBelow(loop, (id, version) => loops(id, version));
  const bound = all.flatMap(({ definition: { tool, version } }) => {
    if (tool === undefined) return [];
    const binding = tools.find(tool.implementation, version);
    return [{ name: `${tool.implementation} ${version}`, binding }];
  });
  const asked = all.flatMap(({ definition }) =>
    definition.kind === "prompt"
      ? listBackends(definition).map(
          ({ id, model }) => `${id}/${model ?? models.get(id)?.defaultModel ?? ""}`,
        )
      : [],
  );
  return {
    below: all
      .filter((each) => each !== loop)
      .map(({ definition: { id, version }, digest }) => `${id} ${version} ${digest}`)
      .sort(),
    brought: {
      models: asked.sort(),
      builds: bound.map(({ name, binding }) => `${name} ${binding?.build ?? ""}`).sort(),
    },
    hasTools: bound.length > 0,
    isPure: bound.every(({ binding }) => binding?.effect === "read"),
  };
}

/** Describes the request: the same in every attempt, on every worker. */
export function describeCall(
  { loop, input, grant }: CalledLoop,
  { below }: Reach,
  { guidance: { documents, summaries } }: Pick<CallSurroundings, "guidance">,
): JsonObject {
  const isPrompt = loop.definition.kind === "prompt";
  const read = isPrompt ? [...documents, ...summaries].map(({ text }) => sha256Hex(text)) : [];
  return { loop: loop.digest, below, input, read, grant: pickAuthority(grant) };
}

export interface CalledLoop {
  readonly loop: CheckedLoop;
  readonly input: JsonValue;
  readonly grant: Grant | undefined;
}

/** The authority of a grant, without its amounts and its expiry. */
function pickAuthority(grant: Grant | undefined): JsonObject {
  const { tools = [], scopes = [], terms = [] } = grant ?? {};
  return {
    tools: [...tools].sort(),
    scopes: [...scopes].sort(),
    terms: terms.map((term) => canonicalize(term)).sort(),
  };
}

/** The name of a call in a cache. Without the tenant's key it reveals nothing of the request. */
export function nameCall(key: Uint8Array, asked: JsonObject, { brought }: Reach): string {
  return hmacSha256Hex(key, new TextEncoder().encode(canonicalize({ asked, brought })));
}
