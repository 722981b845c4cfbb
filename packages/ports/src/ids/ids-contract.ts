import { strict as assert } from "node:assert";
import { isUuid } from "@turnseal/protocol";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { Ids } from "./ids.ts";

/** The contract of every source of ids. */
export function idsContract(options: ContractOptions<Ids>): ContractCase[] {
  return bindContract(
    {
      "an id is a lower-case UUID of version 4": async (ids) => {
        for (const path of ["", "a", "a/b", "ä/💡"]) assert.ok(isUuid(ids.create(path)), path);
      },
      "different paths give different ids": async (ids) => {
        const paths = Array.from({ length: 1_000 }, (_, index) => `calls/${index}`);
        assert.equal(new Set(paths.map((path) => ids.create(path))).size, paths.length);
      },
      "the answer does not depend on the order of asking": async (ids) => {
        const forward = [ids.create("a"), ids.create("b")];
        const backward = [ids.create("b"), ids.create("a")].reverse();
        const isSeeded = forward[0] === ids.create("a");
        if (isSeeded) assert.deepEqual(forward, backward);
        else assert.equal(new Set([...forward, ...backward]).size, 4);
      },
    },
    options,
  );
}
