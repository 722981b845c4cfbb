/**
 * Outputs that a model was shown a part of, so that it can ask for the rest, in this turn and in
 * any later one.
 *
 * 1. A handle is the digest of the output under the run's key: nobody can guess one, and a resume
 *    makes the same.
 * 2. The whole is stored with the next request to the model, which is the first to name the handle.
 * 3. Only what was shown in part can be asked for: it is marked, and no other content of the run
 *    is. The mark stands beside the content and not in the state of the run, which would grow.
 */
import type { Blob } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import type { Asked } from "../step/context-chain.ts";

export interface KeptOutputs {
  /** Keeps an output for a call, and answers with its handle. */
  keep(call: string, output: JsonValue): string;
  /** The output of a handle, if there is one. */
  read(handle: string): Promise<JsonValue | undefined>;
  /** Adds what a call keeps to what it asks next. */
  attach(call: string, asked: Asked): Asked;
  /** What no request was made with: the end of the turn stores it, for the next turn to name. */
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
