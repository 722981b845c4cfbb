/**
 * Checks the policy of a loop (spec/loop.md §2.6): each part of it must fit the loop and the other
 * parts.
 */
import {
  type LoopDef,
  type LoopPolicy,
  MODEL_ERROR_CODES,
  type ModelErrorCode,
  parsePath,
  type RateLimitSpec,
  type ValueCondition,
} from "@turnseal/protocol";
import {
  FILTERS_MAX,
  LIMIT_COUNT_MAX,
  LIMIT_NAME_LENGTH_MAX,
  ROUTES_MAX,
  TIMEOUT_MS_MAX,
} from "../limits.ts";
import type { Report } from "./report.ts";

/**
 * Failures after which another backend may be asked. A provider that refuses a request has read it,
 * so asking another would bypass the refusal. An abort comes from the caller.
 */
export const FALLBACK_CODES: readonly ModelErrorCode[] = MODEL_ERROR_CODES.filter(
  (code) => code !== "MODEL_REFUSED" && code !== "MODEL_ABORTED",
);

const promptParts = [
  "routes",
  "fallback",
  "rateLimit",
  "inputFilters",
  "outputFilters",
  "contextTokensMax",
  "refuseModelDrift",
  "firstPieceMs",
] as const;

export function checkLoopPolicy({ kind, policy, backend }: LoopDef, report: Report): void {
  if (policy === undefined) return;
  const refuse: Refuse = (path, message, mend) =>
    report.refuse({ rule: "policy-unfit", path: `/policy/${path}`, message, mend });
  for (const time of ["timeoutMs", "firstPieceMs"] as const)
    checkCount(time, { value: policy[time], max: TIMEOUT_MS_MAX }, report);
  for (const part of kind === "prompt" ? [] : promptParts) {
    if (policy[part] === undefined) continue;
    refuse(
      part,
      `a loop of kind ${kind} has no \`${part}\``,
      "move it to the prompt that it is for",
    );
  }
  if (policy.routes !== undefined && backend !== undefined)
    refuse("routes", "routes take the place of `backend`", "make `backend` the first route");
  checkRoutes(policy, report, refuse);
  checkFallback(policy, refuse);
  if (policy.rateLimit !== undefined) checkRateLimit(policy.rateLimit, report, refuse);
  for (const side of ["inputFilters", "outputFilters"] as const)
    checkLength(side, { length: policy[side]?.length ?? 0, max: FILTERS_MAX }, report);
}

type Refuse = (path: string, message: string, mend: string) => void;

function checkRoutes({ routes = [] }: LoopPolicy, report: Report, refuse: Refuse): void {
  checkLength("routes", { length: routes.length, max: ROUTES_MAX }, report);
  for (const [index, { when }] of routes.entries()) {
    if (when !== undefined) checkCondition(when, `routes/${index}/when`, { report, refuse });
  }
}

function checkCondition(
  when: ValueCondition,
  path: string,
  { report, refuse }: { readonly report: Report; readonly refuse: Refuse },
): void {
  if ("equals" in when === "atLeast" in when)
    refuse(path, "it has one of `equals` and `atLeast`", "keep only the intended one");
  const parsed = parsePath(when.path);
  const isOfInput = parsed.kind === "path" && parsed.segments[0] === "input";
  if (isOfInput) return;
  const reason = parsed.kind === "path" ? "does not start from the input" : parsed.reason;
  report.refuse({
    rule: parsed.kind === "path" ? "mapping-root" : "mapping-path",
    path: `/policy/${path}/path`,
    message: `\`${when.path}\` ${reason}`,
    mend: "write a path such as $.input.field",
  });
}

function checkFallback({ routes = [], fallback }: LoopPolicy, refuse: Refuse): void {
  if (fallback === undefined) return;
  if (routes.length < 2)
    refuse("fallback", "there is no other route to ask", "add `routes`, or remove `fallback`");
  for (const [index, code] of fallback.entries()) {
    if ((FALLBACK_CODES as readonly string[]).includes(code)) continue;
    const message = `no other route is asked after \`${code}\``;
    refuse(`fallback/${index}`, message, `use any of ${FALLBACK_CODES.join(", ")}`);
  }
}

function checkRateLimit(limit: RateLimitSpec, report: Report, refuse: Refuse): void {
  const { name, perMinute, inFlight } = limit;
  if (perMinute === undefined && inFlight === undefined)
    refuse("rateLimit", "it limits nothing", "add `perMinute` or `inFlight`, or both");
  if (name.length > LIMIT_NAME_LENGTH_MAX)
    refuse("rateLimit/name", `it is longer than ${LIMIT_NAME_LENGTH_MAX}`, "choose a shorter name");
  checkCount("rateLimit/perMinute", { value: perMinute, max: LIMIT_COUNT_MAX }, report);
  checkCount("rateLimit/inFlight", { value: inFlight, max: LIMIT_COUNT_MAX }, report);
}

function checkCount(
  path: string,
  { value, max }: { readonly value: number | undefined; readonly max: number },
  report: Report,
): void {
  if (value === undefined || value <= max) return;
  report.refuse({
    rule: "field-type",
    path: `/policy/${path}`,
    message: `${value} is more than ${max}`,
    mend: `write at most ${max}`,
  });
}

function checkLength(
  path: string,
  { length, max }: { readonly length: number; readonly max: number },
  report: Report,
): void {
  if (length <= max) return;
  report.refuse({
    rule: "field-type",
    path: `/policy/${path}`,
    message: `a prompt has at most ${max} ${path}`,
    mend: "remove some of them",
  });
}
