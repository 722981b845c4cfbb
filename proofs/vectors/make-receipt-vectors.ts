/**
 * Makes the vectors of receipts. The runs are the kernel's; what is expected of each case is
 * written down here by hand.
 *
 * The output depends on nothing but the code: seeded ids, a clock that is moved by hand, and the
 * demo key.
 */
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { APPROVAL_SCENARIOS } from "./approval-scenarios.ts";
import { breakApprovals } from "./broken-approvals.ts";
import { breakBudgets } from "./broken-budgets.ts";
import { breakConduct } from "./broken-conduct.ts";
import { breakPeople } from "./broken-group-people.ts";
import { breakGroups, makeGroupedRuns } from "./broken-groups.ts";
import { breakItems, makeFannedRuns } from "./broken-items.ts";
import { breakPlans, leaveOutBuilds, makePlannedRun } from "./broken-plans.ts";
import { breakSeparation } from "./broken-separation.ts";
import { breakStanding } from "./broken-standing.ts";
import { breakThreads, makeTalkedRun } from "./broken-threads.ts";
import { createSeededSigner } from "./demo-signer.ts";
import { listFamilyVectors, makeFamilyRuns } from "./family-trees.ts";
import { governGrants } from "./governed-grants.ts";
import { listHandoffVectors, makeHandedRuns } from "./handoff-trees.ts";
import { makeRun, type Scenario } from "./kernel-runs.ts";
import { listTreeVectors } from "./large-trees.ts";
import { speakLate } from "./late-words.ts";
import type { ReceiptVector, VectorInput } from "./receipt-vector.ts";
import { SCENARIOS } from "./scenarios.ts";
import { editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";
import { spoilEvents } from "./spoiled-events.ts";
import { signedBy } from "./spoiled-keys.ts";
import { spoilReceipts } from "./spoiled-receipts.ts";
import { listSetVectors } from "./spoiled-sets.ts";
import { leaveOutContent, makeStandingRun, revokeAtTheEnd } from "./standing-run.ts";
import { breakTakings, makeTakingRun } from "./taken-back.ts";
import { leaveUnsealed } from "./unsealed-runs.ts";

const keys = [DEMO_KEY];

/** Every file of vectors, by name. */
export async function makeReceiptVectors(): Promise<Record<string, ReceiptVector[]>> {
  const runs = new Map<string, MadeRun>();
  for (const scenario of [...SCENARIOS, ...APPROVAL_SCENARIOS])
    runs.set(scenario.name, await makeRun(scenario));
  const read = (name: string): MadeRun => readMade(runs, name);
  const one = read("one-turn");
  const two = read("failed-and-retried");
  const governed = governGrants(read("model-and-tool"));
  const waiting = read("waiting");
  const sealed = SCENARIOS.filter(({ name }) => name !== "waiting");
  const [planned, grouped] = [await makePlannedRun(), await makeGroupedRuns()];
  const standing = await makeStandingRun();
  const accepted = sealed.map((scenario) => acceptRun(scenario, read(scenario.name)));
  return {
    "receipt/valid-runs": [...accepted, ...acceptKeys(one, two)],
    "receipt/spoiled-events": spoilEvents(one, read("failed"), two),
    "receipt/spoiled-receipts": spoilReceipts(one, two, waiting),
    "receipt/unsealed-runs": leaveUnsealed({ one, waiting, three: read("three-turns") }),
    "receipt/broken-budgets": breakBudgets({ one, two, unprocessed: read("unprocessed-request") }),
    "receipt-conduct/broken-conduct": breakConduct({
      one,
      two,
      again: read("superseded-claim"),
      retried: read("person-says-retry"),
    }),
    "receipt-conduct/broken-rollbacks": breakTakings(await makeTakingRun(2)),
    "receipt-conduct/broken-items": breakItems(await makeFannedRuns()),
    "receipt-conduct/broken-groups": [...breakGroups(grouped), ...breakPeople(grouped.asked)],
    "receipt-conduct/broken-threads": breakThreads(await makeTalkedRun()),
    "receipt/governed-runs": [...governed.valid, ...governed.budgets],
    "receipt-conduct/broken-grants": [...governed.conduct],
    "receipt/approved-runs": [
      ...APPROVAL_SCENARIOS.map((scenario) => acceptRun(scenario, read(scenario.name))),
      acceptPlanned(planned),
      ...acceptStanding(standing),
      accept("takes-back", "A rollback names the action that it takes back, and its receipt.", {
        ...{ keys, bundle: await makeTakingRun() },
      }),
      accept("plan-without-builds", "A plan from before its steps named builds suffices, too.", {
        ...{ keys, bundle: leaveOutBuilds(planned) },
      }),
    ],
    "receipt-conduct/broken-standing": breakStanding(standing),
    "receipt-conduct/broken-plans": breakPlans(planned, read("model-and-tool")),
    "receipt-conduct/broken-approvals": breakApprovals({
      one: read("approved"),
      byTwo: read("approved-by-two"),
      outOfOrder: read("approved-out-of-order"),
      edited: read("edited"),
      superseded: read("approved-and-superseded"),
      unknown: read("approved-and-unknown"),
      answered: read("question-answered"),
    }),
    "receipt-conduct/broken-separation": breakSeparation({
      separated: read("separated"),
      unknown: read("approved-and-unknown"),
    }),
    "receipt-conduct/late-words": speakLate({
      cancelled: read("cancelled"),
      timedOut: read("timed-out"),
      one,
      abandoned: read("unknown"),
      two,
    }),
    "receipt-set/sets": listSetVectors(read("three-turns"), one),
    "receipt-set/handoffs": listHandoffVectors(await makeHandedRuns()),
    "receipt-set/families": listFamilyVectors(await makeFamilyRuns()),
    "governed-trees/trees": listTreeVectors(),
  };
}

function readMade(runs: ReadonlyMap<string, MadeRun>, name: string): MadeRun {
  const run = runs.get(name);
  if (run === undefined) throw new Error(`there is no scenario ${name}`);
  return run;
}

function acceptPlanned(bundle: MadeRun): ReceiptVector {
  const words = "The approval of a plan is used once for each of its steps.";
  return accept("plan-suffices", words, { keys, bundle });
}

function acceptStanding(bundle: MadeRun): ReceiptVector[] {
  return [
    accept("standing-drawn", "Two actions draw an approval that stands.", { keys, bundle }),
    accept("standing-without-content", "Without content the arguments are not compared.", {
      ...{ keys, bundle: leaveOutContent(bundle) },
    }),
    accept("standing-revoked-at-the-end", "It is revoked when nothing more is drawn.", {
      ...{ keys, bundle: revokeAtTheEnd(bundle) },
    }),
  ];
}

function acceptRun({ name, description }: Scenario, bundle: MadeRun): ReceiptVector {
  return accept(name, description, { keys, bundle });
}

function accept(name: string, description: string, input: VectorInput): ReceiptVector {
  return { name, description, input, expect: { verdict: "valid", valid: true, findings: [] } };
}

function acceptKeys(one: MadeRun, two: MadeRun): ReceiptVector[] {
  const hosted = createSeededSigner(2, "hosted");
  const key = { id: hosted.keyId, issuer: hosted.issuer };
  const closed = findSequence(one.events, "turn.closed");
  const byHost = sealRun(
    { ...one, events: editEvent(one.events, closed, { key }) },
    { signer: hosted },
  );
  const [first, second] = [createSeededSigner(3), createSeededSigner(4)];
  const overlap = [
    { ...first.publicKey, validUntil: "2026-01-01T00:00:00.000Z" },
    { ...second.publicKey, validFrom: "2026-01-01T00:00:00.000Z" },
  ];
  return [
    accept("hosted-key-in-production", "A hosted key is good in production.", {
      keys: [hosted.publicKey],
      production: true,
      bundle: byHost,
    }),
    accept(
      "keys-overlap",
      "At the moment of rotation both keys are good: the first signed this run.",
      {
        keys: overlap,
        bundle: signedBy(one, 3),
      },
    ),
    accept("line-feed-at-the-end", "A text may end with one line feed, as files do.", {
      keys,
      bundle: { ...two, receipts: two.receipts.map((text) => `${text}\n`) },
    }),
  ];
}
