import { strict as assert } from "node:assert";
import type { CallEvent } from "@turnseal/protocol/trace";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { EventSink } from "./event-sink.ts";

interface ReadableSink {
  readonly sink: EventSink;
  /** Returns the events that the sink has taken so far, in order. */
  readonly read: () => readonly CallEvent[] | Promise<readonly CallEvent[]>;
}

/** The contract of every sink that keeps events. */
export function eventSinkContract(options: ContractOptions<ReadableSink>): ContractCase[] {
  return bindContract(
    {
      "keeps every event once, in order": async ({ sink, read }) => {
        const given = Array.from({ length: 100 }, (_, index) => sampleEvent(index));
        for (const event of given) await sink(event);
        assert.deepEqual(await read(), given);
      },
      "does not change an event": async ({ sink }) => {
        const event = sampleEvent(1);
        const before = JSON.stringify(event);
        await sink(event);
        assert.equal(JSON.stringify(event), before);
      },
    },
    options,
  );
}

function sampleEvent(durationMs: number): CallEvent {
  return {
    type: "call.completed",
    at: "2026-01-01T00:00:00.000Z",
    call: "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d",
    content: { durationMs },
  };
}
