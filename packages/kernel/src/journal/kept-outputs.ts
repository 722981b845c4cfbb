/**
 * Outputs that a model was shown a part of, so that it can ask for the rest, in this turn and in
 * any later one.
 *
 * 1. A handle is the digest of the output under the run's key: nobody can guess one, and a resume
 *    makes the same.
 * 2. The whole is stored with the next request to the model, which is the first to name the handle;
 *    of a flow, with the end of the turn.
 * 3. Only outputs that were shown in part can be read: they are marked, and no other content of the
 *    run is. The mark stands beside the content and not in the state of the run, which would grow.
 */
import type { Blob } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import type { Asked } from "../step/context-chain.ts";
import type { ShownOutputs } from "../world.ts";

export interface KeptOutputs extends ShownOutputs {
  /** Adds a call's stored outputs to its next request. */
  attach(call: string, asked: Asked): Asked;
  /**
   * The outputs that no request carried. The end of the turn stores them, so that the next turn can
   * name them.
   */
  left(): readonly Blob[];
}

export function createKeptOutputs(content: Content): KeptOutputs {
  const known = new Set<string>();
  // By call: a request that is recorded already has stored those of its own call, and no others.
  const waiting = new Map<string, Blob[]>();
  const withMarks = (blobs: readonly Blob[]): Blob[] =>
    blobs.flatMap((blob) => [blob, content.sealMark(blob.digest)]);
  return {
    keep: (call, output) => {
      const blob = content.seal(output);
      known.add(blob.digest);
      waiting.set(call, [...(waiting.get(call) ?? []), blob]);
      return blob.digest;
    },
    read: async (handle) => {
      const isWaiting = ({ digest }: Blob): boolean => digest === handle;
      const blob = [...waiting.values()].flat().find(isWaiting);
      if (blob !== undefined) return JSON.parse(new TextDecoder().decode(blob.bytes)) as JsonValue;
      const isKept = known.has(handle) || (await content.isMarked(handle));
      return isKept ? content.read({ digest: handle }) : undefined;
    },
    attach: (call, asked) => {
      const blobs = waiting.get(call);
      // Only a model is shown a part of something.
      if (blobs === undefined || asked.facts.action !== "model") return asked;
      waiting.delete(call);
      const facts = { ...asked.facts, outputs: blobs.map(toReference) };
      return { ...asked, facts, blobs: [...asked.blobs, ...withMarks(blobs)] };
    },
    left: () => withMarks([...waiting.values()].flat()),
  };
}
