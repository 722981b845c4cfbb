/** Whose signal set the present turn going, by what the simulation itself has sent. */
import type { LoopEvent } from "@turnseal/protocol";

export interface TriggerWatch {
  onEvent(event: LoopEvent): void;
  /** The person, or nobody. */
  person(): readonly string[];
}

interface TriggerOptions {
  readonly run: string;
  readonly notes: ReadonlyMap<string, string>;
}

export function watchTrigger({ run, notes }: TriggerOptions): TriggerWatch {
  const senders = new Map<number, string | undefined>();
  let sender: string | undefined;
  return {
    person: () => (sender === undefined ? [] : [sender]),
    onEvent: ({ type, sequence, content }) => {
      if (type === "signal.received") senders.set(sequence, notes.get(`${run} ${content.key}`));
      if (type === "run.decided" && content.signal !== undefined)
        sender = senders.get(content.signal.sequence);
    },
  };
}
