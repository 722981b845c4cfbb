/**
 * Chooses the model of a prompt (spec/loop.md §2.6).
 *
 * 1. The routes whose condition the input meets are the candidates, in their order. The prompt asks
 *    the first.
 * 2. After a failure of a class that the policy names, the prompt asks the next candidate. It stays
 *    the one for the rest of the call, since a provider's own data is of no use to another.
 * 3. Routing never looks at the world. A failure is in the log before the next step, so a resume
 *    takes the same route.
 */
import type { Model } from "@turnseal/ports";
import {
  type BackendRef,
  type JsonValue,
  type LoopDef,
  listBackends,
  type ModelErrorCode,
  type ModelFacts,
  meetsCondition,
  type RateLimitSpec,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { FIRST_PIECE_MS_DEFAULT } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Effects } from "../world.ts";

/** The failure classes that lead to the next backend by default. */
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
  /** The name for requests and prices: `backend/model`. */
  readonly name: string;
  /** The facts of the choice for a claim; empty where there is none. */
  readonly facts: Pick<ModelFacts, "route" | "filtered">;
}

export interface ModelRoutes {
  /** All candidates, in order. */
  readonly candidates: readonly ModelRoute[];
  /** The rate limit that counts every request. */
  readonly limit: RateLimitSpec | undefined;
  /** How long each may give nothing of its answer, where that is limited for every request. */
  readonly firstPieceMs: number | undefined;
  /** The current candidate. */
  current(): ModelRoute;
  /** Goes to the next fitting candidate, if there is one and the failure allows it. */
  moveOn(failure: string, isFit?: (model: Model) => boolean): boolean;
}

/** The routes of one call. */
export function openRoutes(
  { definition }: CheckedLoop,
  input: JsonValue,
  { models }: Pick<Effects, "models">,
): Outcome<ModelRoutes> {
  const { fallback = FALLBACK_DEFAULT } = definition.policy ?? {};
  const candidates: ModelRoute[] = [];
  // Marks the model's text as filtered, so that those who show it to people know that it is not the
  // output.
  const filtered =
    definition.policy?.outputFilters === undefined ? {} : { filtered: true as const };
  for (const { backend, facts } of listPlaces(definition, input)) {
    const model = models.get(backend.id);
    // Checks every candidate, also the last: a missing model should be known before it is needed.
    if (model === undefined)
      return fail("BACKEND_FAILED", `no model is bound to backend ${backend.id}`);
    const name = `${backend.id}/${backend.model ?? model.defaultModel}`;
    candidates.push({ backend, model, name, facts: { ...facts, ...filtered } });
  }
  const [first] = candidates;
  if (first !== undefined) {
    const followed = followRoutes(first, candidates, fallback);
    const { rateLimit: limit, routes, firstPieceMs } = definition.policy ?? {};
    // With another backend to ask, a prompt does not wait long for a first piece.
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
