import type { CallEvent } from "@turnseal/protocol/trace";
import { describe, expect, test } from "vitest";
import { eventSinkContract } from "./event-sink-contract.ts";
import { memorySink } from "./memory-sink.ts";

describe("the memory sink keeps the contract", () => {
  const create = () => {
    const { sink, events } = memorySink();
    return { sink, read: () => events };
  };
  for (const { name, run } of eventSinkContract({ create })) test(name, run);
});

test("the contract finds a sink that loses an event", async () => {
  const create = () => {
    const kept: CallEvent[] = [];
    return {
      sink: (event: CallEvent) => {
        if (kept.length < 99) kept.push(event);
      },
      read: () => kept,
    };
  };
  const [keeps] = eventSinkContract({ create });
  await expect(keeps?.run()).rejects.toThrow();
});

test("the contract finds a sink that changes an event", async () => {
  const create = () => ({
    sink: (event: CallEvent) => {
      Object.assign(event, { call: "another" });
    },
    read: () => [],
  });
  const [, changes] = eventSinkContract({ create });
  await expect(changes?.run()).rejects.toThrow();
});
