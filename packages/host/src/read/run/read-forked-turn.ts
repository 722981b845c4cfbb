/** The turn of a run that a fork begins from, with its input and threads. */
import type { Stores } from "@turnseal/ports";
import type {
  BlobRef,
  EventOf,
  GuidanceDocument,
  JsonValue,
  Policy,
  RunSpec,
} from "@turnseal/protocol";
import type { StartOptions } from "../../messages/start-message.ts";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";

export type ForkedTurn =
  | {
      readonly kind: "fork";
      readonly spec: RunSpec;
      readonly input: JsonValue;
      /** Rules, documents and lineage: all but the grant. */
      readonly start: Pick<StartOptions, "policy" | "guidance" | "forkedFrom">;
    }
  | { readonly kind: "unusable"; readonly message: string };

/**
 * The facts of the turn: its input, and the rules and the documents of its run. With an input of
 * its own, a fork can also begin after the last turn.
 */
export async function readForkedTurn(
  stores: Pick<Stores, "log" | "blobs" | "receipts">,
  { run, turn, input: own }: { run: string; turn: number; input?: JsonValue | undefined },
): Promise<ForkedTurn> {
  let closed = 0;
  let begun: EventOf<"run.started"> | undefined;
  let taken: EventOf<"turn.started"> | undefined;
  for await (const event of readEvents(stores.log, run, 1)) {
    if (event.type === "run.started") begun = event;
    if (event.type === "turn.started" && event.turn === turn) taken = event;
    if (event.type === "turn.closed") closed = event.turn;
  }
  const read = async (reference: BlobRef | undefined) =>
    reference === undefined ? undefined : readContent(stores, run, reference);
  const isNext = own !== undefined && turn === closed + 1;
  if (begun === undefined || (taken === undefined && !isNext))
    return { kind: "unusable", message: `the run has no turn ${turn}` };
  const old = await read(taken?.content.input ?? begun.content.input);
  const input = old === undefined || own === undefined ? old : own;
  if (input === undefined) return { kind: "unusable", message: "its content was erased" };
  const { spec } = begun.content;
  const policy = (await read(begun.content.policy)) as unknown as Policy | undefined;
  const texts = (await read(begun.content.guidance)) as readonly string[] | undefined;
  const receipt = (await stores.receipts.read(run, turn))?.id;
  return {
    kind: "fork",
    spec,
    input,
    start: {
      ...(policy === undefined ? {} : { policy }),
      ...(texts === undefined ? {} : { guidance: nameTexts(spec, texts) }),
      forkedFrom: { run, turn, ...(receipt === undefined ? {} : { receipt }) },
    },
  };
}

function nameTexts({ guidance = [] }: RunSpec, texts: readonly string[]): GuidanceDocument[] {
  return guidance.map(({ ref }, index) => ({ ref, text: texts[index] ?? "" }));
}
