/** The items of a fan-out: fixed in the log before the first of them begins. */
import type { Amounts, JsonValue } from "@turnseal/protocol";
import type { CheckedNodeOf } from "../../../definition/flow/checked-node.ts";
import { FAN_OUT_MAX, SPREAD_MAX } from "../../../limits.ts";
import { fail, type Outcome, succeed } from "../../../outcome.ts";
import type { Frame } from "../../../resume/frame.ts";
import type { World } from "../../../world.ts";
import { countRuns } from "../count-runs.ts";
import type { FlowParts, NodePlace } from "../node.ts";
import { readKnown } from "../read-known.ts";
import type { FanOutItem } from "./fan-out-item.ts";
import type { FanOutNode } from "./judge-join.ts";
import { labelBranch, labelItem } from "./label-item.ts";

export async function fixList(
  node: FanOutNode,
  place: NodePlace,
  { world }: Pick<FlowParts, "world">,
): Promise<Outcome<FixedList>> {
  const { frame, path, tries } = place;
  const listed = node.kind === "forEach" ? listItems(node, place) : listBranches(node);
  if (listed.kind !== "ok") return listed;
  const items = listed.value;
  // Each of them has an end in the log, also where it never begins.
  const tooMany = countRuns(place, items.length);
  if (tooMany !== undefined) return tooMany;
  if (frame.isTraceFull(path)) return fail("BUDGET_EXCEEDED", "the trace is full");
  const list = items.flatMap(({ value }) => (value === undefined ? [] : [value]));
  await frame.catchUp(path);
  const left = Math.max(1, items.length - (tries?.kept.size ?? 0));
  const share = isSpread(node) ? shareBudget(world, frame, { path, items: left }) : undefined;
  frame.record({
    type: "fanout.fixed",
    content: { path, items: items.length, ...(share === undefined ? {} : { share }) },
    ...(node.kind === "forEach" ? { attached: { list } } : {}),
  });
  await frame.recorder.log?.flush();
  return succeed({ items, share });
}

/** Outside a run there is no budget, and no item is handed over. */
function shareBudget(
  world: World,
  frame: Frame,
  fanOut: { readonly path: string; readonly items: number },
): Amounts {
  return world.kind === "run" ? world.effects.journal.share(frame, fanOut) : {};
}

/** The items, and the most that each may spend where each is a run of its own. */
export interface FixedList {
  readonly items: readonly FanOutItem[];
  readonly share: Amounts | undefined;
}

/** True where each item is a run of its own. */
export function isSpread(node: FanOutNode): boolean {
  return node.kind === "forEach" && node.spread === "runs";
}

function listBranches({ branches }: CheckedNodeOf<"parallel">): Outcome<FanOutItem[]> {
  return succeed(
    branches.map((body, index) => {
      const segment = `/branches/${index}`;
      return { body, known: {}, label: labelBranch(body), segment, placeSegment: segment };
    }),
  );
}

function listItems(
  { items: source, max, as, body, scope, spread }: CheckedNodeOf<"forEach">,
  place: NodePlace,
): Outcome<FanOutItem[]> {
  const read = readKnown(source, place, `the list of ${place.path}`);
  if (read.kind !== "ok") return read;
  const list = read.value;
  if (!isList(list)) return fail("MAPPING_FAILED", `${place.path} needs a list`);
  const most = Math.min(max, spread === "runs" ? SPREAD_MAX : FAN_OUT_MAX);
  if (list.length > most) {
    const message = `the list has ${list.length} items, and the fan-out takes ${most}`;
    return fail("MAPPING_FAILED", message);
  }
  return succeed(
    list.map((value, index) => ({
      ...{ body, value, label: labelItem(value) },
      known: { [as]: value, [`${as}Index`]: index },
      segment: `/items/${index}`,
      placeSegment: scope === "isolated" ? `/items/${index}` : "/items",
    })),
  );
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
