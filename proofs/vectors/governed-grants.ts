/** The governed run as it should be, and with one thing wrong. */
import {
  committed,
  digestOf,
  foldSpending,
  type JsonObject,
  NO_SPENDING,
} from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import {
  type Changes,
  type GovernedRun,
  GRANT,
  governRun,
  NEED,
  narrow,
  PERIODS,
  READING,
  REQUESTED,
  underGrant,
} from "./governed-run.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import type { MadeRun } from "./seal-events.ts";

const keys = [DEMO_KEY];
const nowhere = `sha256:${"0".repeat(64)}`;
/** A call without a grant of its own. */
const bare = { grant: null, proof: null };

export interface GrantVectors {
  readonly valid: readonly ReceiptVector[];
  /** What every verifier finds. */
  readonly budgets: readonly ReceiptVector[];
  /** What takes a full verifier. */
  readonly conduct: readonly ReceiptVector[];
}

export function governGrants(made: MadeRun): GrantVectors {
  const run = governRun(made);
  const { call, claim, events } = run;
  return {
    valid: [
      accept(
        ["call-with-a-narrower-grant", "A call under a narrower grant, with a term and caps."],
        run.change(),
      ),
      accept(
        ["handoff-under-a-slice", "A handoff, whose run is given a part of the grant."],
        run.change(handOff(run, slice)),
      ),
    ],
    budgets: [
      rejectRun(run)(
        ["named-unit-over-cap", "A unit of the operator's own is over its cap."],
        ["BUDGET_EXCEEDED", claim],
        underGrant(events, { ...GRANT, budget: { toolCalls: 8, "acme.lines": 4 } }),
        { [call]: bare, [claim]: { terms: ["ledger"] } },
      ),
    ],
    conduct: [
      ...breakProofs(run),
      ...breakClaims(run),
      ...breakNeeds(run),
      ...breakPeriods(run),
      ...breakHandoffs(run),
    ],
  };
}

function accept([name, description]: readonly [string, string], bundle: MadeRun): ReceiptVector {
  return { name, description, input: { keys, bundle }, expect: accepted };
}

const accepted = { verdict: "valid", valid: true, findings: [] } as const;

type Reject = (
  names: readonly [string, string],
  found: readonly [Expected[number]["code"], number],
  ...changes: Changes[]
) => ReceiptVector;

function rejectRun(run: GovernedRun): Reject {
  return ([name, description], [code, sequence], ...changes) => {
    const input = { keys, bundle: run.change(...changes) };
    // A malformed event names no turn.
    const place = code === "EVENT_MALFORMED" ? { sequence } : { sequence, turn: 1 };
    return rejectVector(name, description, input, [{ code, ...place }]);
  };
}

function breakProofs(run: GovernedRun): ReceiptVector[] {
  const { call, claim } = run;
  const reject = rejectRun(run);
  const { grant, proof } = narrow(REQUESTED);
  return [
    reject(
      ["call-grant-widened", "A call's grant has a tool that the turn's has not."],
      ["GRANT_WIDENED", call],
      { [call]: { grant: { ...grant, tools: ["local.add", "local.pay"] } } },
    ),
    reject(
      ["proof-says-subset", "The proof says subset, and the term has a verb more."],
      ["GRANT_WIDENED", call],
      { [call]: { grant: { ...grant, terms: [{ ...READING, id: "x", verbs: ["merge"] }] } } },
      { [claim]: { terms: ["x"], needs: null } },
    ),
    reject(["proof-of-another-parent", "The proof names another parent."], ["PROOF_FORGED", call], {
      [call]: { proof: { ...proof, parentDigest: nowhere } },
    }),
    reject(
      ["proof-missing", "A call has a grant of its own without a proof."],
      ["PROOF_FORGED", call],
      { [call]: { proof: null } },
    ),
    reject(
      ["proof-without-a-grant", "A call has a proof without a grant of its own."],
      ["PROOF_FORGED", call],
      { [call]: { grant: null }, [claim]: { terms: ["ledger"] } },
    ),
  ];
}

function breakClaims(run: GovernedRun): ReceiptVector[] {
  const { call, claim } = run;
  const reject = rejectRun(run);
  const late = narrow({
    ...REQUESTED,
    terms: [{ ...READING, expiresAt: `${PERIODS.day}T00:00:00.000Z` }],
  });
  return [
    reject(
      ["claim-outside-its-call", "A tool is claimed that the turn may use and the call may not."],
      ["EFFECT_WITHOUT_GRANT", claim],
      { [call]: narrow({ ...REQUESTED, tools: [] }).content },
    ),
    reject(
      ["term-of-the-call-above", "A claim names a term that its call's grant has not."],
      ["EFFECT_WITHOUT_GRANT", claim],
      { [claim]: { terms: ["ledger"] } },
    ),
    reject(
      ["term-expired", "A claim names a term that had expired."],
      ["EFFECT_WITHOUT_GRANT", claim],
      { [call]: late.content, [claim]: { terms: late.terms } },
    ),
  ];
}

/** The needs of a tool are recorded: terms that do not cover them are found. */
function breakNeeds(run: GovernedRun): ReceiptVector[] {
  const { claim } = run;
  const reject = rejectRun(run);
  const needing = (name: string, description: string, content: JsonObject): ReceiptVector =>
    reject([name, description], ["EFFECT_WITHOUT_GRANT", claim], { [claim]: content });
  const malformed = (name: string, description: string, needs: JsonObject[]): ReceiptVector =>
    reject([name, description], ["EVENT_MALFORMED", claim], { [claim]: { needs } });
  return [
    needing("terms-left-out", "A claim leaves out the term that its tool needed.", { terms: null }),
    needing("terms-empty", "A claim names no term, and its tool needed one.", { terms: [] }),
    needing("need-of-another-verb", "The term does not name what the tool does with it.", {
      needs: [NEED, { ...NEED, verb: "write" }],
    }),
    needing("need-of-another-resource", "The term is over another resource.", {
      needs: [{ ...NEED, resource: "ledger:other" }],
    }),
    needing("need-of-another-family", "The term is over another kind of resource.", {
      needs: [{ ...NEED, family: "acme.vault" }],
    }),
    needing("need-of-a-capability", "The term does not have the capability.", {
      needs: [{ ...NEED, capability: "network_egress" }],
    }),
    malformed("needs-none-said", "What the tool needed is an empty list.", []),
    malformed("needs-with-another-field", "What the tool needed says more than may be recorded.", [
      { ...NEED, path: "accounts/a/1" },
    ]),
    malformed(
      "needs-too-many",
      "More is needed than one action may need.",
      Array.from({ length: 33 }, () => NEED),
    ),
  ];
}

function breakPeriods(run: GovernedRun): ReceiptVector[] {
  const { call, claim, settled } = run;
  const reject = rejectRun(run);
  const bulk = { reserve: { toolCalls: 1, "acme.lines": 6 } };
  const low = { toolCalls: 4, "acme.lines": 4 };
  const inPeriods = (
    name: string,
    description: string,
    periods: JsonObject,
    code: "BUDGET_ARITHMETIC" | "EVENT_MALFORMED" = "BUDGET_ARITHMETIC",
  ) =>
    reject([name, description], [code, claim], {
      [claim]: { periods },
      [settled]: { periods },
    });
  return [
    reject(
      ["claim-over-cap-of-a-call", "A claim reserves more than one action may."],
      ["BUDGET_EXCEEDED", claim],
      { [claim]: bulk, [settled]: bulk },
    ),
    reject(
      ["claim-over-cap-of-a-day", "A claim lifts its day over the cap."],
      ["BUDGET_EXCEEDED", claim],
      { [call]: narrow({ ...REQUESTED, perPeriod: { day: low } }).content },
    ),
    reject(
      ["claim-over-cap-of-a-week", "A claim lifts its week over the cap."],
      ["BUDGET_EXCEEDED", claim],
      { [call]: narrow({ ...REQUESTED, perPeriod: { week: low } }).content },
    ),
    reject(
      ["claim-in-no-period", "A claim under caps for periods does not say in which it counts."],
      ["BUDGET_ARITHMETIC", claim],
      { [claim]: { periods: null }, [settled]: { periods: null } },
    ),
    inPeriods("claim-in-no-week", "A claim names its day, and not its week.", {
      day: PERIODS.day,
    }),
    inPeriods("claim-in-another-week", "A claim counts in the week after its own.", {
      ...PERIODS,
      week: "2026-W02",
    }),
    inPeriods(
      "claim-in-a-year",
      "A claim names a kind of period that there is not.",
      { ...PERIODS, year: "2026" },
      "EVENT_MALFORMED",
    ),
    reject(
      ["settled-in-another-period", "A settlement names another day than its claim."],
      ["EFFECT_WITHOUT_CLAIM", settled],
      { [settled]: { periods: { ...PERIODS, day: "2025-12-31" } } },
    ),
  ];
}

const slice = { tools: [], depth: 0, budget: { toolCalls: 2, "acme.lines": 1 } };

/** The tool's claim becomes that of a handoff, under the turn's grant. */
function handOff({ call, claim, settled, change }: GovernedRun, request: unknown): Changes {
  const { grant, content } = narrow(request);
  const bounds = { turnsMax: 1, failuresMax: 1, resumesMax: 1 };
  const reserve = { ...(grant["budget"] as JsonObject), handoffs: 1 };
  const child = "5f4c4bd8-bb1c-4a2c-8a5e-0d4e6a5f0b11";
  const facts = { action: "handoff", effect: "idempotent", target: "review", child, bounds };
  const events = change().events.slice(0, claim - 1);
  const sum = committed(events.reduce(foldSpending, NO_SPENDING)) as unknown as JsonObject;
  const none = { tool: null, build: null, term: null, terms: null, needs: null };
  return {
    [call]: bare,
    [claim]: {
      ...{ ...none, ...facts, ...content },
      ...{ slice: digestOf(grant), reserve, committed: sum },
    },
    [settled]: { action: "handoff", reserve, spent: { handoffs: 1 }, receipt: nowhere },
  };
}

function breakHandoffs(run: GovernedRun): ReceiptVector[] {
  const { claim, settled } = run;
  const reject = rejectRun(run);
  const handed = handOff(run, slice);
  const free = { reserve: { handoffs: 1 } };
  return [
    reject(
      ["handoff-ended-without-a-receipt", "A run was handed to, and no receipt says what it did."],
      ["HANDOFF_UNSEALED", settled],
      handed,
      { [settled]: { receipt: null } },
    ),
    reject(
      ["handoff-not-granted", "A run is handed to a loop that the grant does not name."],
      ["EFFECT_WITHOUT_GRANT", claim],
      handed,
      { [claim]: { target: "deploy" } },
    ),
    reject(
      ["handoff-without-a-level-less", "The run that is handed to may hand on as often."],
      ["GRANT_WIDENED", claim],
      handOff(run, { ...slice, depth: 1 }),
    ),
    reject(
      ["handoff-without-reservation", "What the other run may spend is not reserved."],
      ["GRANT_WIDENED", claim],
      handed,
      { [claim]: free, [settled]: free },
    ),
    reject(
      ["handoff-with-a-forged-proof", "The proof of the other run's grant names another parent."],
      ["PROOF_FORGED", claim],
      handed,
      { [claim]: { proof: { ...narrow(slice).proof, parentDigest: nowhere } } },
    ),
  ];
}
