/**
 * Runs whose steps passed by the approval of their plan: made by the kernel, and the same with one
 * thing changed, as a kernel that errs, or a thief of a key, could make it.
 */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import {
  compilePlan,
  type JsonObject,
  type JsonValue,
  type PlanDocument,
  type RawEvent,
} from "@turnseal/protocol";
import { defineTool, jsonSchema, planStarter } from "@turnseal/protocol/authoring";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import type { ReceiptVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun } from "./seal-events.ts";
import { at, type Change, change, drop, type Found, type Name, set, spoil } from "./spoil-run.ts";

const anything = jsonSchema<JsonValue>(true);
const plan: PlanDocument = {
  title: "Pay two",
  steps: [
    { id: "one", loop: "pay", input: { to: "ada" } },
    { id: "two", loop: "pay", input: { to: "cem" }, after: ["one"] },
  ],
};

/** Proposed by alice, approved by bea, and used for both of its steps a second later. */
export async function makePlannedRun(): Promise<MadeRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
    input: anything,
    output: anything,
    compensate: { effect: "idempotent", build: "1", withinMs: 60_000, run: () => undefined },
    run: (input) => input,
  });
  const loop = { definition: compilePlan(plan), uses: [planStarter, pay] };
  const ids = seededIds("plans");
  const host = createLocalHost({
    ...{ loops: [loop, pay], stores, signer: createSeededSigner(), clock, ids },
  });
  const run = await host.start(loop, plan as never, {
    ...{ key: "one", by: "alice", bounds: { turnsMax: 1 } },
    grant: {
      ...{ grantor: "alice", tools: ["local.pay", "turnseal.plan"] },
      budget: { effects: 9, toolCalls: 9 },
    },
    policy: {
      name: "rules",
      rules: [
        { id: "pay", decision: "ask", tools: ["local.pay"], plan: "suffices" },
        { id: "rest", decision: "allow" },
      ],
    },
  });
  await host.advance(run);
  const [request] = await host.requests(run);
  const by = { id: "bea", roles: [] };
  await host.decide(run, request?.id ?? "", { choice: "approve", by });
  clock.advance(1_000);
  await host.advance(run);
  return readRun(stores, run);
}

/** The same as it was written before steps named the builds of their tools. */
export function leaveOutBuilds(run: MadeRun): MadeRun {
  return change(run, at("plan.proposed", dropBuilds));
}

function dropBuilds(event: RawEvent): RawEvent {
  const { steps } = event.content;
  const bare = (steps as readonly JsonObject[]).map(
    ({ build: _, compensation: __, ...step }) => step,
  );
  return set({ steps: bare })(event);
}

const malformed: readonly Found[] = [["EVENT_MALFORMED", "action.claimed", 2]];
const mismatch: readonly Found[] = [["APPROVAL_MISMATCH", "action.claimed", 2]];
const missing: readonly Found[] = [["APPROVAL_MISSING", "action.claimed", 2]];

/** `other` is a run whose call makes another, and has no plan. */
export function breakPlans(run: MadeRun, other: MadeRun): ReceiptVector[] {
  const claim: Claim = (name, found, change) =>
    spoil(run, name, found, at("action.claimed", change, 2));
  return [
    ...nameWrongly(claim),
    ...allowWrongly(claim),
    spoil(
      run,
      ["planned-elsewhere", "The call stands at another place than the step."],
      mismatch,
      at("child.started", set({ path: "/flow/nodes/9" }), 2),
    ),
    spoil(
      run,
      ["planned-of-another-loop", "The call is of another loop than the step."],
      mismatch,
      (events) => renameCall(events, 2),
    ),
    spoil(
      run,
      ["planned-twice", "The same step uses the approval twice."],
      [["APPROVAL_REUSED", "action.claimed", 4]],
      claimTwice,
    ),
    spoil(
      other,
      ["plan-not-proposed", "A loop that is made of a plan takes a step, and nobody was asked."],
      [["TURN_ORDER", "child.started"]],
      nameAsPlan,
    ),
  ];
}

/** The claim of the first step, with one thing changed. */
type Claim = (name: Name, found: readonly Found[], change: Change) => ReceiptVector;

/** Claims that are not the step that they say. */
function nameWrongly(claim: Claim): ReceiptVector[] {
  return [
    claim(
      ["planned-with-other-arguments", "What is done does not stand in the plan."],
      mismatch,
      askOtherwise,
    ),
    claim(
      ["planned-by-another-build", "The tool has another build than when the plan was proposed."],
      mismatch,
      set({ build: "2" }),
    ),
    claim(
      ["planned-by-no-build", "The claim does not say by which build it is done."],
      malformed,
      drop("build"),
    ),
    claim(
      ["planned-with-another-way-back", "It can be taken back for less long than was approved."],
      mismatch,
      promise({ withinMs: 1 }),
    ),
    claim(
      ["planned-with-no-way-back", "It was approved as one that can be taken back, and cannot be."],
      mismatch,
      drop("compensation"),
    ),
    claim(
      ["planned-as-final", "It was approved as one that can be taken back, and says it is final."],
      mismatch,
      (event) => set({ irreversible: "what is paid is paid" })(drop("compensation")(event)),
    ),
    claim(
      ["planned-as-another-step", "It says that it is the other step."],
      mismatch,
      say({ step: 1 }),
    ),
    claim(["planned-as-no-step", "The plan has no such step."], mismatch, say({ step: 7 })),
    claim(["planned-of-no-plan", "What it names is no plan."], mismatch, say({ plan: 1 })),
    claim(
      ["planned-without-approval", "It names a plan, and no approval."],
      mismatch,
      drop("approval"),
    ),
    claim(
      ["planned-unsaid", "It is claimed under the plan's approval as if that were its own."],
      mismatch,
      drop("planned"),
    ),
    claim(
      ["planned-unreadable", "What it says of the plan is no object."],
      malformed,
      set({ planned: 7 }),
    ),
  ];
}

/** Claims that those who approved the plan could not allow, or not any more. */
function allowWrongly(claim: Claim): ReceiptVector[] {
  return [
    claim(
      ["planned-without-the-role", "Whoever approved the plan has not the role."],
      missing,
      set({ role: "finance" }),
    ),
    claim(
      ["planned-by-too-few", "Two have to approve it, and one approved the plan."],
      missing,
      say({ approvers: 2 }),
    ),
    claim(["planned-by-nobody", "Nobody need approve it."], missing, say({ approvers: 0 })),
    claim(
      ["planned-by-the-excluded", "Whoever approved the plan is excluded."],
      missing,
      set({ excluded: ["bea"] }),
    ),
    claim(
      ["planned-starter-not-excluded", "Who started the run is left out of the excluded."],
      missing,
      say({ exclude: ["starter"] }),
    ),
    claim(
      ["planned-too-late", "The rule gives less time than has passed."],
      [["APPROVAL_EXPIRED", "action.claimed", 2]],
      say({ useWithinMs: 999 }),
    ),
  ];
}

/** The root call, as one of a loop that is made of a plan. */
function nameAsPlan(events: readonly RawEvent[]): RawEvent[] {
  const loop = `plan-${"0".repeat(32)}`;
  const { spec } = (events[0]?.content ?? {}) as { spec: JsonObject };
  const changes: Readonly<Record<string, JsonObject>> = {
    "run.started": { spec: { ...spec, loop } },
    "turn.started": { loop },
  };
  const root = findSequence(events, "call.started");
  return events.map((event) =>
    set(event.sequence === root ? { loop } : (changes[event.type] ?? {}))(event),
  );
}

/** Other arguments than the plan has. */
function askOtherwise(event: RawEvent): RawEvent {
  const { request } = event.content;
  return set({ request: { ...Object(request), digest: `hmac-sha256:${"9".repeat(64)}` } })(event);
}

/** Other words on what takes it back. */
function promise(fields: JsonObject): Change {
  return (event) => {
    const { compensation } = event.content;
    return set({ compensation: { ...Object(compensation), ...fields } })(event);
  };
}

/** Other words of a claim on the plan that it is under. */
function say(fields: JsonObject): Change {
  return (event) => {
    const { planned } = event.content;
    return set({ planned: { ...Object(planned), ...fields } })(event);
  };
}

/** The last claim and its end once more, under a key of its own. */
function claimTwice(events: readonly RawEvent[]): RawEvent[] {
  const claim = findSequence(events, "action.claimed", 3);
  const settled = findSequence(events, "action.settled", 3);
  const copies = [
    set({ key: "again" })(events[claim - 1] as RawEvent),
    set({ key: "again", claim: settled + 1 })(events[settled - 1] as RawEvent),
  ];
  return events.toSpliced(settled, 0, ...copies);
}

/** A call below another, and its announcement, of another loop. */
function renameCall(events: readonly RawEvent[], nth: number): RawEvent[] {
  const announced = events[findSequence(events, "child.started", nth) - 1];
  const { child } = announced?.content ?? {};
  const isIt = (event: RawEvent): boolean =>
    event === announced || (event.type === "call.started" && event.call === child);
  return events.map((event) => (isIt(event) ? set({ loop: "other" })(event) : event));
}
