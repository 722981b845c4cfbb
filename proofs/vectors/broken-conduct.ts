/**
 * Runs that are chained, signed and added up as they should be, in which the kernel did not keep
 * its rules.
 */
import type { JsonObject, RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { breakFiles } from "./broken-files.ts";
import { breakPlaces, breakTurns } from "./broken-places.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

export interface ConductRuns {
  readonly one: MadeRun;
  readonly two: MadeRun;
  /** A run with a claim that takes the place of another. */
  readonly again: MadeRun;
  /** A run in which a person let something be done again. */
  readonly retried: MadeRun;
}

export function breakConduct({ one, two, again, retried }: ConductRuns): ReceiptVector[] {
  const started = findSequence(one.events, "turn.started");
  const claim = findSequence(one.events, "action.claimed");
  const settled = findSequence(one.events, "action.settled");
  const closed = findSequence(one.events, "turn.closed");
  const { grant } = (one.events[started - 1]?.content ?? {}) as { grant: JsonObject };
  const second = findSequence(two.events, "turn.started", 2);
  const edit = (sequence: number, content: JsonObject): MadeRun =>
    sealRun({ ...one, events: editEvent(one.events, sequence, content) });
  const at = (sequence: number) => ({ sequence, turn: 1 });
  return [
    reject("claimed-after-expiry", "A tool was claimed when the grant had expired.", expire(one), [
      { code: "EFFECT_WITHOUT_GRANT", ...at(claim) },
    ]),
    reject(
      "claimed-as-nothing-known",
      "The claim of a tool calls its action by a name that is none.",
      edit(claim, { action: "Tool" }),
      [{ code: "EVENT_MALFORMED", sequence: claim }],
    ),
    reject(
      "grant-widened",
      "The turn's grant allows a tool that the run's does not.",
      edit(started, { grant: { ...grant, tools: ["local.add", "local.pay"] } }),
      [{ code: "GRANT_WIDENED", ...at(started) }],
    ),
    reject(
      "grant-in-another-name",
      "The turn's grant is given by somebody else than the run's.",
      edit(started, { grant: { ...grant, grantor: "mallory" } }),
      [{ code: "GRANT_WIDENED", ...at(started) }],
    ),
    reject(
      "grant-uncapped",
      "The turn's grant leaves out a cap of the run's.",
      edit(started, { grant: { ...grant, budget: {} } }),
      [{ code: "GRANT_WIDENED", ...at(started) }],
    ),
    ...misguide(one, started),
    ...recall(one, claim),
    ...changeFiles(one, { claim, settled }),
    ...breakFiles(one, closed),
    reject(
      "settled-another-claim",
      "The settlement names another claim.",
      edit(settled, { claim: 1 }),
      [{ code: "EFFECT_WITHOUT_CLAIM", ...at(settled) }],
    ),
    reject("settled-twice", "A claim was settled twice.", settleTwice(one, settled), [
      { code: "EFFECT_WITHOUT_CLAIM", ...at(settled + 1) },
    ]),
    ...repeatEffects({ again, retried }),
    ...breakPlaces(one),
    ...breakTurns({ one, two }),
    reject("turn-out-of-order", "A turn has the number of the one before.", renumber(two, second), [
      { code: "TURN_ORDER", turn: 1, sequence: second },
      { code: "RECEIPT_DUPLICATE", turn: 1 },
    ]),
  ];
}

/** Compensations within the same run belong to the rules of groups. */
const OTHER_RUN = "61b98e25-1bed-4944-88e9-a8dce65506b8";

/** The claim at this place takes back another action than the one whose place it takes. */
function takeBackAnother(again: MadeRun, sequence: number): ReceiptVector {
  return reject(
    "taken-back-another-in-place",
    "A claim in the place of another takes back another action.",
    takeBack(again, ["one", "two"]),
    [{ code: "EFFECT_REPEATED", sequence, turn: 1 }],
  );
}

/** Forbidden repeats and replacements. */
function repeatEffects({ again, retried }: Pick<ConductRuns, "again" | "retried">) {
  const superseding = findSequence(again.events, "action.claimed", 2);
  const resolved = findSequence(retried.events, "action.resolved");
  const at = (sequence: number) => ({ sequence, turn: 1 });
  return [
    reject(
      "claimed-again-without-leave",
      "A key was claimed again though its claim was open.",
      dropEvent(again, superseding - 1),
      [{ code: "EFFECT_REPEATED", ...at(superseding - 1) }],
    ),
    takeBackAnother(again, superseding),
    reject(
      "repeated-without-a-person",
      "A tool that acts once was done again without a person's word.",
      resolveByKernel(retried, resolved),
      [{ code: "EFFECT_REPEATED", ...at(resolved) }],
    ),
  ];
}

/** The same, with claims that take back these actions in turn. */
function takeBack(run: MadeRun, keys: readonly string[]): MadeRun {
  const taken = { run: OTHER_RUN, turn: 1, receipt: `sha256:${"0".repeat(64)}` };
  let { events } = run;
  for (const [index, key] of keys.entries()) {
    const sequence = findSequence(events, "action.claimed", index + 1);
    events = editEvent(events, sequence, { takesBack: { ...taken, key } });
  }
  return sealRun({ ...run, events });
}

function reject(
  name: string,
  description: string,
  bundle: MadeRun,
  findings: Expected,
): ReceiptVector {
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle }, findings);
}

/** Both the run's grant and the turn's expire at the moment in which everything happened. */
function expire(run: MadeRun): MadeRun {
  const { spec } = (run.events[0]?.content ?? {}) as { spec: JsonObject };
  const grant = { ...(spec["grant"] as JsonObject), expiresAt: "2026-01-01T00:00:00.000Z" };
  const events = editEvent(run.events, 1, { spec: { ...spec, grant } });
  return sealRun({
    ...run,
    events: editEvent(events, findSequence(events, "turn.started"), { grant }),
  });
}

function settleTwice(run: MadeRun, settled: number): MadeRun {
  const copy = run.events[settled - 1] as RawEvent;
  return sealRun({ ...run, events: run.events.toSpliced(settled, 0, copy) });
}

/** Numbers inside contents are moved along, so that the run has the one fault and no other. */
function dropEvent(run: MadeRun, sequence: number): MadeRun {
  const events = run.events
    .toSpliced(sequence - 1, 1)
    .map((event) => ({ ...event, content: moveClaim(event.content, sequence) }));
  return sealRun({ ...run, events });
}

function moveClaim(content: JsonObject, from: number): JsonObject {
  const { claim } = content;
  return typeof claim === "number" && claim > from ? { ...content, claim: claim - 1 } : content;
}

/** The kernel says it, under the epoch in which it last worked. */
function resolveByKernel(run: MadeRun, sequence: number): MadeRun {
  const actor = { kind: "kernel", id: "kernel" } as const;
  const epoch = run.events[sequence - 2]?.epoch ?? 1;
  const events = run.events.map((event) =>
    event.sequence === sequence ? { ...event, actor, epoch } : event,
  );
  return sealRun({ ...run, events });
}

function renumber(run: MadeRun, from: number): MadeRun {
  const events = run.events.map((event) =>
    event.sequence >= from && event.turn !== undefined ? { ...event, turn: 1 } : event,
  );
  return sealRun({ ...run, events });
}

/** Runs in which files were changed that were not to be, or not from what was managed. */
function changeFiles(
  one: MadeRun,
  { claim, settled }: { readonly claim: number; readonly settled: number },
): ReceiptVector[] {
  const page = (digit: string) => ({
    digest: `hmac-sha256:${digit.repeat(64)}`,
    ...{ size: 2, mediaType: "application/json" },
  });
  const artifacts = {
    ...{ root: "site", files: 1, changed: 1 },
    ...{ changes: page("1"), after: page("2") },
  };
  const change = (root: JsonObject, more: JsonObject): MadeRun => {
    const claimed = editEvent(one.events, claim, root);
    const events = editEvent(claimed, settled, { artifacts: { ...artifacts, ...more } });
    return sealRun({ ...one, events });
  };
  const found = [{ code: "ARTIFACT_MISMATCH", sequence: settled, turn: 1 }] as const;
  return [
    reject(
      "changed-files-without-a-root",
      "A tool changed files of a root that its claim does not name.",
      change({ root: "other" }, {}),
      found,
    ),
    reject(
      "changed-files-of-nobody",
      "Files are changed from a state in which the run never had them.",
      change({ root: "site" }, { before: page("3") }),
      found,
    ),
  ];
}

/** Runs in which a call was answered from a cache that may not be, or acted all the same. */
function recall(one: MadeRun, claim: number): ReceiptVector[] {
  const { spec } = (one.events[0]?.content ?? {}) as { spec: JsonObject };
  const claimed = one.events[claim - 1] as RawEvent;
  const begun = one.events.find(
    ({ type, call }) => type === "call.started" && call === claimed.call,
  ) as RawEvent;
  const { loop, version, digest } = begun.content;
  const hit: RawEvent = {
    ...claimed,
    id: begun.id,
    type: "cache.hit",
    content: {
      ...{ key: `hmac-sha256:${"1".repeat(64)}`, strategy: "ephemeral" },
      result: { digest: `hmac-sha256:${"2".repeat(64)}`, size: 2, mediaType: "application/json" },
      from: { run: one.run, turn: 1, call: claimed.call ?? "" },
    },
  };
  const answer = (events: readonly RawEvent[]): MadeRun => {
    const moved = events.map((event) => ({ ...event, content: addToClaim(event.content, claim) }));
    return sealRun({ ...one, events: moved.toSpliced(claim - 1, 0, hit) });
  };
  const kept = { id: loop ?? null, version: version ?? null, digest: digest ?? null };
  const pinned = { kept: { ...kept, cache: "ephemeral" } };
  const acting = { code: "CACHE_MISUSED", sequence: claim + 1, turn: 1 } as const;
  return [
    reject(
      "answered-from-no-cache",
      "A call was answered from a cache, and its loop has none.",
      answer(one.events),
      [{ code: "CACHE_MISUSED", sequence: claim, turn: 1 }, acting],
    ),
    reject(
      "answered-and-acting",
      "A call was answered from its cache, and did something all the same.",
      answer(editEvent(one.events, 1, { spec: { ...spec, pinned } })),
      [acting],
    ),
  ];
}

/** Numbers inside contents are moved along. */
function addToClaim(content: JsonObject, from: number): JsonObject {
  const { claim } = content;
  return typeof claim === "number" && claim >= from ? { ...content, claim: claim + 1 } : content;
}

/** Runs that pinned a document, in which the turn had none, or another. */
function misguide(one: MadeRun, started: number): ReceiptVector[] {
  const { spec } = (one.events[0]?.content ?? {}) as { spec: JsonObject };
  const document = { digest: `sha256:${"1".repeat(64)}`, size: 12, mediaType: "text/markdown" };
  const pinned = editEvent(one.events, 1, {
    spec: { ...spec, guidance: [{ ref: "tone.md", ...document }] },
  });
  const found: Expected = [{ code: "GUIDANCE_MISMATCH", sequence: started, turn: 1 }];
  const other = { ...document, digest: `sha256:${"2".repeat(64)}` };
  return [
    reject(
      "guidance-left-out",
      "The run pinned a document, and its turn was given none.",
      sealRun({ ...one, events: pinned }),
      found,
    ),
    reject(
      "guidance-swapped",
      "The turn was given another document than the one that was pinned.",
      sealRun({ ...one, events: editEvent(pinned, started, { guidance: [other] }) }),
      found,
    ),
  ];
}
