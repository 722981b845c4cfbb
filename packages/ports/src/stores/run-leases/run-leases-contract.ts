import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import { OTHER_RUN, SAMPLE_RUN } from "../sample-append.ts";
import type { RunLease, RunLeases } from "./run-leases.ts";

/** Two processes that share a store. */
export interface RunLeasesSubject {
  readonly leases: RunLeases;
  readonly other: RunLeases;
  /** Ends the process of `leases` without a word. */
  readonly kill: () => void | Promise<void>;
}

/** The rules of every store of run leases. */
export function runLeasesContract(options: ContractOptions<RunLeasesSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

async function take(leases: RunLeases, run = SAMPLE_RUN): Promise<RunLease> {
  const answer = await leases.take(run);
  assert.equal(answer.kind, "taken");
  return answer.kind === "taken" ? answer.lease : { release: async () => {} };
}

const MANY = 10;

const sentences: Readonly<Record<string, (subject: RunLeasesSubject) => Promise<void>>> = {
  "of many that want a lease at once exactly one takes it": async ({ leases, other }) => {
    const wanting = Array.from({ length: MANY }, (_, index) => (index % 2 ? leases : other));
    const answers = await Promise.all(wanting.map((each) => each.take(SAMPLE_RUN)));
    assert.equal(answers.filter(({ kind }) => kind === "taken").length, 1);
  },
  "a held lease names its holder": async ({ leases, other }) => {
    await take(leases);
    const holder = await other.read(SAMPLE_RUN);
    assert.ok(holder !== undefined);
    for (const each of [leases, other]) {
      const answer = await each.take(SAMPLE_RUN);
      assert.ok(answer.kind === "held");
      assert.equal(answer.holder.pid, holder.pid);
      assert.equal(answer.holder.machine, holder.machine);
    }
  },
  "a lease that is released is free": async ({ leases, other }) => {
    const lease = await take(leases);
    await lease.release();
    assert.equal(await other.read(SAMPLE_RUN), undefined);
    await take(other);
  },
  "a lease that is released twice frees no other": async ({ leases, other }) => {
    const lease = await take(leases);
    await lease.release();
    await take(other);
    await lease.release();
    assert.equal((await leases.take(SAMPLE_RUN)).kind, "held");
  },
  "the lease of a process that has died is taken by one of many": async (subject) => {
    const { leases, other, kill } = subject;
    await take(leases);
    await kill();
    assert.equal(await other.read(SAMPLE_RUN), undefined);
    const answers = await Promise.all(Array.from({ length: MANY }, () => other.take(SAMPLE_RUN)));
    assert.equal(answers.filter(({ kind }) => kind === "taken").length, 1);
  },
  "a lease that is taken by force is no longer its holder's": async ({ leases, other }) => {
    const lease = await take(leases);
    assert.equal((await other.take(SAMPLE_RUN, { force: true })).kind, "taken");
    await lease.release();
    assert.equal((await leases.take(SAMPLE_RUN)).kind, "held");
  },
  "the lease of one run is not that of another": async ({ leases, other }) => {
    await take(leases);
    assert.equal(await other.read(OTHER_RUN), undefined);
    await take(other, OTHER_RUN);
  },
};
