/**
 * Where a prompt is asked (spec/loop.md §2.6).
 *
 * 1. The routes whose condition the input meets are the candidates, in their order. The first is
 *    asked.
 * 2. After a failure of a class that the policy names, the next candidate is asked, and stays the
 *    one for what remains of the call: what one provider wants back is of no use to another.
 * 3. Nothing here looks at the world. A failure is in the log before anybody moves on after it, so
 *    that a resume is led to the same place.
 */
import type { Model, ModelErrorCode } from "@turnseal/ports";
import {
  type BackendRef,
  type JsonValue,
  type LoopDef,
  listBackends,
  type ModelFacts,
  meetsCondition,
  type RateLimitSpec,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { FIRST_PIECE_MS_DEFAULT } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { World } from "../world.ts";

/** What is moved on after where the policy does not say. */
export const FALLBACK_DEFAULT: readonly ModelErrorCode[] = [
  "MODEL_RATE_LIMITED",
  "MODEL_UNREACHABLE",
  "MODEL_UNAVAILABLE",
  "MODEL_NOT_INSTALLED",
  "MODEL_FAILED",
  "MODEL_ANSWER_BROKEN",
  "MODEL_ANSWER_UNFINISHED",
];

export interface ModelRoute {
  readonly backend: BackendRef;
  readonly model: Model;
  /** The name under which it is asked and paid for: `backend/model`. */
  readonly name: string;
  /** What a claim records of the choice; nothing where there is none. */
  readonly facts: Pick<ModelFacts, "route" | "filtered">;
}

export interface ModelRoutes {
  /** Everything that may be asked, in order. */
  readonly candidates: readonly ModelRoute[];
  /** What every request is counted with. */
  readonly limit: RateLimitSpec | undefined;
  /** How long each may give nothing of its answer, where that is limited for every request. */
  readonly firstPieceMs: number | undefined;
  /** What is asked now. */
  current(): ModelRoute;
  /** Goes to the next that is fit, if there is one and the failure is one to move on after. */
  moveOn(failure: string, isFit?: (model: Model) => boolean): boolean;
}

/** The routes of one call. */
export function openRoutes(
  { definition }: CheckedLoop,
  input: JsonValue,
  { models }: Pick<World, "models">,
): Outcome<ModelRoutes> {
  const { fallback = FALLBACK_DEFAULT } = definition.policy ?? {};
  const candidates: ModelRoute[] = [];
  // What the model says is not what the prompt gives: whoever shows it to people must know.
  const filtered =
    definition.policy?.outputFilters === undefined ? {} : { filtered: true as const };
  for (const { backend, facts } of listPlaces(definition, input)) {
    const model = models.get(backend.id);
    // Also one that is asked last: that it is missing should be known before it is needed.
    if (model === undefined)
      return fail("BACKEND_FAILED", `no model is bound to backend ${backend.id}`);
    const name = `${backend.id}/${backend.model ?? model.defaultModel}`;
    candidates.push({ backend, model, name, facts: { ...facts, ...filtered } });
  }
  const [first] = candidates;
  if (first !== undefined) {
    const followed = followRoutes(first, candidates, fallback);
    const { rateLimit: limit, routes, firstPieceMs } = definition.policy ?? {};
    // Whoever has somewhere else to ask does not wait for what is not coming.
    const usualMs = routes === undefined ? undefined : FIRST_PIECE_MS_DEFAULT;
    return succeed({ ...followed, limit, firstPieceMs: firstPieceMs ?? usualMs });
  }
  const message = `no route of ${definition.id} is for this input`;
  return fail("POLICY_DENIED", message, { denial: "route-missing" });
}

type Place = Pick<ModelRoute, "backend" | "facts">;

function listPlaces(definition: LoopDef, input: JsonValue): Place[] {
  const routes = definition.policy?.routes;
  const backends = listBackends(definition);
  if (routes === undefined) return backends.map((backend) => ({ backend, facts: {} }));
  return backends.flatMap((backend, index) => {
    const when = routes[index]?.when;
    if (when !== undefined && !meetsCondition(when, { input })) return [];
    const reason = when === undefined ? "first" : "condition";
    return [{ backend, facts: { route: { index, reason } } }];
  });
}

function followRoutes(
  first: ModelRoute,
  candidates: readonly ModelRoute[],
  fallback: readonly string[],
): Omit<ModelRoutes, "limit" | "firstPieceMs"> {
  let [current, position] = [first, 0];
  return {
    candidates,
    current: () => current,
    moveOn: (failure, isFit = () => true) => {
      if (!fallback.includes(failure)) return false;
      const found = candidates.findIndex(({ model }, at) => at > position && isFit(model));
      const next = candidates[found];
      if (next === undefined) return false;
      position = found;
      const index = next.facts.route?.index ?? position;
      current = {
        ...next,
        facts: { ...next.facts, route: { index, reason: `fallback:${failure}` } },
      };
      return true;
    },
  };
}
