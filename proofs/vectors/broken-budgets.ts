/** Runs that are chained and signed as they should be, and spent or did what they may not. */
import type { JsonObject, RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

interface Runs {
  readonly one: MadeRun;
  readonly two: MadeRun;
  /** A request to a model that its provider did not process. */
  readonly unprocessed: MadeRun;
}

export function breakBudgets({ one, two, unprocessed }: Runs): ReceiptVector[] {
  const started = findSequence(one.events, "turn.started");
  const claim = findSequence(one.events, "action.claimed");
  const settled = findSequence(one.events, "action.settled");
  const closed = findSequence(one.events, "turn.closed");
  const edit = (sequence: number, content: JsonObject, events = one.events): RawEvent[] =>
    editEvent(events, sequence, content);
  const reject = (name: string, description: string, events: RawEvent[], findings: Expected) =>
    rejectVector(name, description, { keys, bundle: sealRun({ ...one, events }) }, findings);
  const at = (sequence: number) => ({ sequence, turn: 1 });
  const reserve = { toolCalls: 9, effects: 1 };
  const half = edit(settled, { spent: { toolCalls: 0.5 } });
  const other = { spending: { settled: { turns: 1 }, assumed: {}, open: {} } };
  return [
    reject(
      "tool-not-granted",
      "A tool was claimed that the grant does not name.",
      edit(claim, { tool: "local.other", term: "local.other" }),
      [{ code: "EFFECT_WITHOUT_GRANT", ...at(claim) }],
    ),
    reject(
      "term-missing",
      "A tool was claimed under no term of the grant.",
      edit(claim, { term: "" }),
      [{ code: "EFFECT_WITHOUT_GRANT", ...at(claim) }],
    ),
    reject(
      "claim-over-cap",
      "A claim lifts what is committed over the cap.",
      edit(settled, { reserve }, edit(claim, { reserve })),
      [{ code: "BUDGET_EXCEEDED", ...at(claim) }],
    ),
    reject(
      "amounts-at-start",
      "The turn starts with other amounts than were spent.",
      edit(started, other),
      [
        { code: "BUDGET_ARITHMETIC", ...at(started) },
        { code: "BUDGET_ARITHMETIC", ...at(closed) },
      ],
    ),
    reject(
      "amounts-at-end",
      "The turn closes with less than its events add up to.",
      edit(closed, other),
      [{ code: "BUDGET_ARITHMETIC", ...at(closed) }],
    ),
    reject("amount-not-whole", "An amount is not a whole number.", half, [
      { code: "EVENT_MALFORMED", sequence: settled },
    ]),
    ...listUncounted({ claim, settled, closed }).map(([name, description, sequences, content]) =>
      reject(
        name,
        description,
        sequences.reduce((events, sequence) => edit(sequence, content, events), [...one.events]),
        sequences.includes(claim)
          ? [{ code: "BUDGET_ARITHMETIC", ...at(claim) }]
          : [settled, closed].map((wrong) => ({ code: "BUDGET_ARITHMETIC", ...at(wrong) })),
      ),
    ),
    ...chargeNothing(unprocessed),
    ...leaveTokensOut(unprocessed),
    rejectVector(
      "follows-another-receipt",
      "A receipt names another as the one before it.",
      { keys, bundle: followAnother(two) },
      [{ code: "RECEIPT_PREVIOUS", turn: 2 }],
    ),
  ];
}

type Uncounted = readonly [
  name: string,
  description: string,
  sequences: readonly number[],
  content: JsonObject,
];

/** Actions that are not counted, or not in full. */
function listUncounted(
  places: Readonly<Record<"claim" | "settled" | "closed", number>>,
): Uncounted[] {
  const { claim, settled } = places;
  const both = [claim, settled];
  return [
    ["claim-of-nothing", "A claim reserves nothing.", both, { reserve: {} }],
    ["claim-without-its-call", "A claim reserves no call.", both, { reserve: { effects: 1 } }],
    ["spent-nothing", "A settlement spends nothing.", [settled], { spent: {} }],
  ];
}

/** Requests that cost nothing, and whose end does not say that they were not processed. */
function chargeNothing(run: MadeRun): ReceiptVector[] {
  const failed = findSequence(run.events, "action.settled");
  const cases: [name: string, description: string, content: JsonObject][] = [
    [
      "lost-request-for-nothing",
      "A request costs nothing, and it may have been processed: the connection was lost.",
      { failure: "MODEL_FAILED" },
    ],
    [
      "unknown-failure-for-nothing",
      "A request costs nothing, and its class of failure is not known.",
      { failure: "MODEL_UNPROCESSED" },
    ],
    [
      "silent-request-for-nothing",
      "A request costs nothing, and no answer came in time.",
      { status: "timed-out" },
    ],
  ];
  return cases.map(([name, description, content]) => {
    const bundle = sealRun({ ...run, events: editEvent(run.events, failed, content) });
    return rejectVector(name, description, { keys, bundle }, [
      { code: "BUDGET_ARITHMETIC", sequence: failed, turn: 1 },
    ]);
  });
}

/** Answers whose tokens are unknown, and that spend less of them than was reserved. */
function leaveTokensOut(run: MadeRun): ReceiptVector[] {
  const settled = findSequence(run.events, "action.settled", 2);
  const cases: [name: string, description: string, change: (content: JsonObject) => JsonObject][] =
    [
      [
        "missing-input-for-less",
        "The provider did not count what it read, and less than was reserved is spent.",
        ({ inputTokens: _, ...content }) => ({ ...content, usage: "missing" }),
      ],
      [
        "zero-output-for-less",
        "An answer with content has zero tokens, and less than was reserved is spent.",
        (content) => ({ ...content, outputTokens: 0, usage: "zero" }),
      ],
      [
        "unstated-output-for-less",
        "A settlement states no output and no gap, and less than was reserved is spent.",
        ({ outputTokens: _, ...content }) => content,
      ],
      [
        "stated-input-for-less",
        "The output is unknown, and less input is spent than is stated.",
        ({ outputTokens: _, ...content }) => ({ ...content, inputTokens: 99, usage: "missing" }),
      ],
    ];
  return cases.map(([name, description, change]) => {
    const events = run.events.map((event) =>
      event.sequence === settled ? { ...event, content: change(event.content) } : event,
    );
    const bundle = sealRun({ ...run, events });
    return rejectVector(name, description, { keys, bundle }, [
      { code: "BUDGET_ARITHMETIC", sequence: settled, turn: 1 },
    ]);
  });
}

function followAnother(two: MadeRun): MadeRun {
  const previousReceipt = `sha256:${"0".repeat(64)}`;
  const second = findSequence(two.events, "turn.started", 2);
  const events = editEvent(two.events, second, { previousReceipt });
  return sealRun({ ...two, events }, { relink: false });
}
