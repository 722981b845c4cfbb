import { wholeNumber } from "../tools/command/options.ts";
import { prove } from "./kit/prove.ts";
import { HOST_OPTIONS, proveOnHosts } from "./kit/prove-on-hosts.ts";
import { rollBackDurably } from "./rollback/durable-rollbacks.ts";
import { rollBackLocally } from "./rollback/local-rollbacks.ts";
import { createTally } from "./rollback/rollback-proof.ts";
import { STEPS } from "./rollback/shelf-loops.ts";

await prove(
  {
    name: "proof rollback",
    about: [
      "A plan of ten steps with files and outside effects fails at each of its steps, and is taken",
      "back by a process that is killed at each of its boundaries, and then by another. The files",
      "have to be what they were, and their digest that of the page of the checkpoint; every",
      "compensation done once and in reverse, what is final listed, the state hash of the checkpoint",
      "and of the graph that is kept the same as before, and every receipt verified. Exits with 1",
      "when something is not.",
    ],
    needs: "for the durable host PostgreSQL's programs (TURNSEAL_POSTGRES_BIN) and the engine",
    lasts:
      "ten minutes locally, and forty on the durable host: a kill costs the start of a process",
    options: {
      ...HOST_OPTIONS,
      failing: wholeNumber({
        takes: "step",
        says: "only the plan that fails at this step, 0 for none (each unless given)",
        default: undefined,
        atLeast: 0,
      }),
    },
  },
  ({ host, every, seed, failing }, say) => {
    const failures = failing === undefined ? [...Array(STEPS + 1).keys()] : [failing];
    const proof = { every, seed, failures, say };
    return proveOnHosts(host, {
      createTally,
      run: {
        local: (tally) => rollBackLocally(proof, tally),
        durable: (tally) => rollBackDurably(proof, tally),
      },
    });
  },
);
