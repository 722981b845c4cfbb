import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { Clock } from "./clock.ts";

interface MovableClock {
  readonly clock: Clock;
  /** Lets at least `ms` pass on this clock. */
  readonly pass: (ms: number) => void | Promise<void>;
}

/** The contract of every clock. */
export function clockContract(options: ContractOptions<MovableClock>): ContractCase[] {
  return bindContract(
    {
      "now is a safe integer of milliseconds": async ({ clock }) => {
        assert.ok(Number.isSafeInteger(clock.now()));
      },
      "after calls back once, and not before it has returned": async ({ clock, pass }) => {
        let calls = 0;
        clock.after(0, () => calls++);
        assert.equal(calls, 0);
        await pass(20);
        await pass(20);
        assert.equal(calls, 1);
      },
      "after does not call back early": async ({ clock, pass }) => {
        const startedAt = clock.now();
        let calledAt = 0;
        clock.after(20, () => {
          calledAt = clock.now();
        });
        await pass(60);
        assert.ok(calledAt - startedAt >= 20, `called back after ${calledAt - startedAt} ms`);
      },
      "a cancelled callback is never called": async ({ clock, pass }) => {
        let calls = 0;
        clock.after(5, () => calls++)();
        await pass(30);
        assert.equal(calls, 0);
      },
    },
    options,
  );
}
