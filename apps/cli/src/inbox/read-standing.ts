/** Reads how far an approval is to stand from the options of `turnseal approve`. */
import type { WaitingRequest } from "@turnseal/host";
import {
  type Condition,
  isPattern,
  type JsonValue,
  type Pattern,
  type StandingTerms,
} from "@turnseal/protocol";
import { shortId } from "@turnseal/terminal";
import { proposePattern } from "@turnseal/terminal/inbox";
import { EXIT_CODES } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";

export interface StandOptions {
  /** Lets the approval stand. */
  readonly stand?: boolean;
  readonly uses?: number;
  /** Milliseconds. */
  readonly for?: number;
  /** Wider conditions, as `field=condition`. */
  readonly where?: readonly string[];
}

/** Reads the terms and the pattern. By default the pattern is the same arguments again. */
export function readStandingOf(
  request: Pick<WaitingRequest, "id" | "request" | "mayStand" | "name">,
  { stand, uses, for: withinMs, where }: StandOptions,
): { readonly standing?: StandingTerms; readonly pattern?: Pattern } {
  const isAsked = stand === true || uses !== undefined || withinMs !== undefined || where?.length;
  if (!isAsked) return {};
  const { mayStand } = request;
  const narrowest = proposePattern(request.request);
  if (mayStand === undefined || narrowest === undefined)
    throw refuse(request, "the rule that asks lets no approval stand: it has no `mayStand`");
  const pattern = { ...narrowest };
  for (const text of where ?? []) {
    const [name, condition] = readCondition(request, text);
    pattern[name] = condition;
  }
  if (!isPattern(pattern)) throw refuse(request, "a condition of --where cannot be read");
  const given = {
    ...mayStand,
    uses: uses ?? mayStand.uses,
    withinMs: withinMs ?? mayStand.withinMs,
  };
  return { standing: given, pattern };
}

const between = /^(-?\d+)?\.\.(-?\d+)?$/;

/** `path=src/**`, `cents=..5000`, `memo=any`, or a condition as JSON. */
function readCondition(
  request: Pick<WaitingRequest, "id" | "name">,
  text: string,
): readonly [string, Condition] {
  const at = text.indexOf("=");
  const [name, words] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || words === "") throw refuse(request, `--where ${text} is no field=condition`);
  if (words === "any") return [name, { any: true }];
  const [, least, most] = between.exec(words) ?? [];
  if (least !== undefined || most !== undefined)
    return [
      name,
      {
        ...(least === undefined ? {} : { atLeast: Number(least) }),
        ...(most === undefined ? {} : { atMost: Number(most) }),
      },
    ];
  return [name, words.startsWith("{") ? parseCondition(request, words) : { glob: words }];
}

function parseCondition(request: Pick<WaitingRequest, "id" | "name">, words: string): Condition {
  try {
    const condition: JsonValue = JSON.parse(words) as JsonValue;
    if (isPattern({ field: condition })) return condition as unknown as Condition;
  } catch {
    // It is told below, like any other that cannot be read.
  }
  throw refuse(request, `--where has no condition in ${words}`);
}

function refuse({ id, name }: Pick<WaitingRequest, "id" | "name">, why: string): RefusalError {
  const next = `turnseal approve ${shortId(id)}  (approves ${name} once)`;
  return new RefusalError(`not accepted: ${why}`, next, EXIT_CODES.failed);
}
