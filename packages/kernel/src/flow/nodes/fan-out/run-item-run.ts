/** An item that is a run of its own: prepared as a call is, and handed on in its place. */
import { type Amounts, DECLINED, type HandedItem, type JsonValue } from "@turnseal/protocol";
import type { CheckedCall } from "../../../definition/flow/checked-node.ts";
import { isDeclined, type Outcome } from "../../../outcome.ts";
import type { Frame } from "../../../resume/frame.ts";
import { notStarted } from "../../../resume/recorded-turn.ts";
import { handItem } from "../../../tools/hand-item.ts";
import { prepareChild } from "../../prepare-child.ts";
import type { FlowParts, NodePlace } from "../node.ts";
import { mapKnown } from "../read-known.ts";

interface ItemRun {
  readonly body: CheckedCall;
  readonly handed: {
    readonly path: string;
    readonly index: number;
    readonly digest: HandedItem["digest"] | undefined;
  };
  readonly share: Amounts;
  /** True where the record has something of it: a cancel does not undo that. */
  readonly isBegun: boolean;
  /** False where only its end matters, and not its result. */
  readonly isWanted: boolean;
}

interface ItemRunEnd {
  readonly outcome: Outcome<JsonValue>;
  /** False where it failed before its run was started. */
  readonly isStarted: boolean;
}

export async function runItemRun(
  { body, handed, share, isBegun, isWanted }: ItemRun,
  at: NodePlace,
  { world, loop }: FlowParts,
): Promise<ItemRunEnd> {
  const { path: below, place } = at;
  const { path, index, digest } = handed;
  const item = { path, index };
  const frame: Frame = { ...at.frame, path: at.frame.path + below, item };
  const child = prepareChild(
    body,
    { index, what: below, path: below, place, map: (mapping, of) => mapKnown(mapping, at, of) },
    { frame: isBegun ? { ...at.frame, isCancelled: () => false } : at.frame, world },
  );
  const { loopId, loopVersion } = body;
  const outcome =
    child.kind === "ok"
      ? await handItem(
          {
            ...{ loop: loopId, loopVersion, input: child.value.input, share, isWanted },
            item: { ...item, ...(digest === undefined ? {} : { digest }) },
            narrowed: child.value.narrowed?.grant,
            by: loop.definition,
          },
          { frame, world },
        )
      : child;
  if (outcome.kind !== "error") return { outcome, isStarted: true };
  const { code } = outcome.error;
  // No other failure before the end of its run has this code.
  if (code === "CHILD_FAILED") return { outcome, isStarted: true };
  // Only its code is recorded, so a resume comes to the same words.
  const denial = isDeclined(outcome.error) ? DECLINED : undefined;
  const error = notStarted({ code, denial }, item);
  return { outcome: { kind: "error", error }, isStarted: false };
}
