import type { JsonValue } from "@turnseal/protocol";
import { BUS_PUBLISH_MAX, type EventBus } from "./event-bus.ts";

/** A group of events that happen together: they are published as one when it is flushed. */
export interface Tick {
  emit(event: JsonValue): void;
  /** Publishes the events since the last flush. Events that could not be published stay. */
  flush(): Promise<void>;
  /** Flushes, and is over: what is emitted later is refused. */
  end(): Promise<void>;
}

export function beginTick(bus: Pick<EventBus, "publish">, topic: string): Tick {
  const queue: JsonValue[] = [];
  let isOver = false;
  let last: Promise<void> = Promise.resolve();
  const publish = async (): Promise<void> => {
    const events = queue.slice();
    if (events.length > 0) await bus.publish(topic, events);
    queue.splice(0, events.length);
  };
  // One after the other: two at once would publish the same events.
  const flush = (): Promise<void> => {
    const flushed = last.then(publish);
    last = flushed.catch(() => {});
    return flushed;
  };
  return {
    emit: (event) => {
      if (isOver) throw new RangeError("this tick is over");
      if (queue.length >= BUS_PUBLISH_MAX)
        throw new RangeError(`a tick has at most ${BUS_PUBLISH_MAX} events between two flushes`);
      queue.push(event);
    },
    flush,
    end: async () => {
      isOver = true;
      await flush();
    },
  };
}
