/**
 * Follows calls that were answered from a cache (spec/receipt.md §6.6). Their loop must be pinned
 * as cacheable, and the hit must replace all actions of the call.
 */
import { isPlainObject } from "../canonical-json.ts";
import type { Grant } from "../grant/grant.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { KEPT_STRATEGIES } from "../run/run-spec.ts";
import { isOneOf } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";
import type { TurnPlace } from "./follow-turns.ts";

export interface CacheFollower {
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

type LoopParts = Readonly<Partial<Record<"loop" | "version" | "digest", unknown>>>;

interface KnownCall {
  readonly loop: LoopParts;
  readonly validatedAt?: string;
  readonly state: "new" | "acting" | "answered";
}

const isKept = isOneOf(KEPT_STRATEGIES);

/** Events of a call's own work, which a cached call must not have. */
const deeds: ReadonlySet<string> = new Set([
  ...["action.claimed", "child.started", "approval.requested", "question.asked"],
]);

export function followCaches(): CacheFollower {
  let pinned = new Set<string>();
  let calls = new Map<string, KnownCall>();
  return {
    follow: (event, place) => {
      const { type, call = "", content, at } = event;
      const known = calls.get(call);
      switch (type) {
        case "run.started":
          pinned = readPinned(content["spec"]);
          return [];
        case "turn.started":
          calls = new Map();
          return [];
        case "call.started":
          if (known === undefined) calls.set(call, { loop: content, state: "new" });
          return [];
        case "call.input.validated":
          if (known !== undefined) calls.set(call, { ...known, validatedAt: at });
          return [];
        case "cache.hit": {
          const isFounded = mayBeAnswered(event, known, { pinned, grant: place?.grant });
          if (known !== undefined) calls.set(call, { ...known, state: "answered" });
          return isFounded ? [] : [misused(event)];
        }
        default: {
          if (known === undefined || !deeds.has(type)) return [];
          if (known.state === "answered") return [misused(event)];
          calls.set(call, { ...known, state: "acting" });
          return [];
        }
      }
    },
  };
}

function mayBeAnswered(
  { content: { strategy, tool } }: RawEvent,
  known: KnownCall | undefined,
  { pinned, grant }: { readonly pinned: ReadonlySet<string>; readonly grant: Grant | undefined },
): boolean {
  if (known?.state !== "new" || known.validatedAt === undefined) return false;
  if (!isKept(strategy) || !pinned.has(nameKept(known.loop, strategy))) return false;
  if (tool === undefined) return true;
  const isInTime = grant?.expiresAt === undefined || known.validatedAt < grant.expiresAt;
  return isInTime && typeof tool === "string" && grant?.tools.includes(tool) === true;
}

/** The loops that were pinned with a cache. */
function readPinned(spec: unknown): Set<string> {
  const loops = isPlainObject(spec) ? spec["pinned"] : undefined;
  const pins = isPlainObject(loops) ? Object.values(loops) : [];
  return new Set(
    pins
      .filter((pin) => isPlainObject(pin))
      .map(({ id, version, digest, cache }) => nameKept({ loop: id, version, digest }, cache)),
  );
}

/** A loop and the place where its results are kept. A value that is no text counts as null. */
function nameKept({ loop, version, digest }: LoopParts, cache: unknown): string {
  const parts = [loop, version, digest, cache];
  return JSON.stringify(parts.map((part) => (typeof part === "string" ? part : null)));
}

function misused({ sequence, turn }: RawEvent): Finding {
  const place = { sequence, ...(turn === undefined ? {} : { turn }) };
  return finding("CACHE_MISUSED", "a call is answered from a cache that may not be", place);
}
