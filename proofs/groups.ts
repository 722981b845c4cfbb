import { groupDurably } from "./groups/durable-groups.ts";
import { createTally } from "./groups/group-proof.ts";
import { groupLocally } from "./groups/local-groups.ts";
import { prove } from "./kit/prove.ts";
import { HOST_OPTIONS, proveOnHosts } from "./kit/prove-on-hosts.ts";

await prove(
  {
    name: "proof groups",
    about: [
      "Groups of three that succeed, are approved, fail at the first and at the last, and cannot be",
      "taken back, each by a process that is killed at each of its boundaries, and then by another.",
      "All has to be done, or none, or a part that a person was asked about; nothing twice, what is",
      "said of each has to be true, and every receipt verified. Exits with 1 when something is not.",
    ],
    needs: "for the durable host PostgreSQL's programs (TURNSEAL_POSTGRES_BIN) and the engine",
    lasts: "some minutes locally, and a quarter of an hour on the durable host",
    options: HOST_OPTIONS,
  },
  ({ host, every, seed }, say) => {
    const proof = { every, seed, say };
    return proveOnHosts(host, {
      createTally,
      run: {
        local: (tally) => groupLocally(proof, tally),
        durable: (tally) => groupDurably(proof, tally),
      },
    });
  },
);
