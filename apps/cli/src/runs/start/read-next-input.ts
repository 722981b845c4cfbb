/**
 * Where further turns get what an awaited signal says. A signal reaches a turn only through the
 * mapping `nextInput` of its bounds; a message that a person types must not go nowhere.
 */

import { parseJsonText } from "@turnseal/documents";
import { mapSignal, readsSignal } from "@turnseal/host";
import type { CheckedLoop } from "@turnseal/kernel";
import { isPlainObject, type Mapping, type RunBounds } from "@turnseal/protocol";
import { MESSAGE_SIGNAL } from "../../inbox/ask-in-place.ts";

export interface NextInputOptions {
  readonly nextInput?: string;
  readonly await?: readonly string[];
  readonly follow?: boolean;
}

export type ReadNextInput =
  | {
      readonly kind: "read";
      readonly bounds: Pick<Partial<RunBounds>, "nextInput">;
      /** Awaited signals that reach no turn. */
      readonly unread: readonly string[];
    }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const EXAMPLE = `--next-input '{"<field>":"$.signals.message.text"}'`;

/** Reads `--next-input`; without it, a message goes into the field `text`, where there is one. */
export function readNextInput(options: NextInputOptions, root: CheckedLoop): ReadNextInput {
  const { nextInput: written, await: awaited = [], follow } = options;
  const parsed = written === undefined ? undefined : parseJsonText(written);
  if (parsed?.kind === "refused")
    return unusable(`--next-input is not JSON: ${parsed.problem.message}`);
  if (parsed !== undefined && !isPlainObject(parsed.value))
    return unusable("--next-input must be an object: fields of the input, each with a path");
  // Its paths are checked with the other bounds, when the run starts.
  const given = parsed?.value as Mapping | undefined;
  const isTold = awaited.includes(MESSAGE_SIGNAL);
  const mapping = given ?? (isTold ? mapSignal(root.definition, MESSAGE_SIGNAL) : undefined);
  const unread = awaited.filter((name) => !readsSignal(mapping, name));
  if (follow === true && unread.includes(MESSAGE_SIGNAL)) {
    const { id } = root.definition;
    return unusable(`the input of ${id} has no field that reads the signal message`);
  }
  return { kind: "read", bounds: mapping === undefined ? {} : { nextInput: mapping }, unread };
}

function unusable(message: string): ReadNextInput {
  return { kind: "unusable", message, next: EXAMPLE };
}
