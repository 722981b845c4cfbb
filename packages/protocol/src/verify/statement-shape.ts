/**
 * The shape of a statement that is a receipt (spec/receipt.md §3, schemas/receipt.schema.json).
 *
 * A field that is not known is refused: what is not understood must not be waved through. Every
 * number is a safe integer, since others are not written alike in every language.
 */

import { areAmounts } from "../budget/budget.ts";
import { isSpending } from "../events/documents.ts";
import { readGrant } from "../grant/grant.ts";
import { isInstant } from "../instant.ts";
import { GROUP_OUTCOMES, MEMBER_ENDS, TURN_OUTCOMES } from "../outcomes.ts";
import { ISSUERS } from "../receipt/public-key.ts";
import {
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  type Statement,
  subjectName,
} from "../receipt/statement.ts";
import { type Check, hasOnly, isCount, isHash, isListOf, isOneOf, isText } from "../shape.ts";

const isPoint = hasOnly({ sequence: isCount, hash: isHash });
const isReference = hasOnly({ digest: isText, size: isCount, mediaType: isText });
const isActor = hasOnly({ kind: isText, id: isText });
const isGrant: Check = (value) => readGrant(value) !== undefined;

const isSaid = hasOnly({ sequence: isCount, hash: isHash, by: isActor });
const isRule = hasOnly({ id: isText }, { file: isText, line: isCount });
const isApproval = hasOnly({ sequence: isCount, hash: isHash, decisions: isListOf(isSaid) });

const isEffect = hasOnly(
  { key: isText, action: isText, digest: isText, effect: isText, claim: isPoint, status: isText },
  {
    tool: isText,
    build: isText,
    term: isText,
    terms: isListOf(isText),
    secrets: isListOf(isText),
    compensation: hasOnly(
      { loop: isText, version: isText, build: isText, effect: isText },
      { withinMs: isCount },
    ),
    irreversible: isText,
    takesBack: hasOnly({ run: isText, turn: isCount, key: isText, receipt: isText }),
    held: isText,
    deadlineAt: isText,
    backend: isText,
    model: isText,
    child: isText,
    receipt: isText,
    rule: isRule,
    approval: isApproval,
    drawn: hasOnly({ decision: isCount, usesLeft: isCount }, { left: areAmounts }),
    supersedes: isCount,
    end: isSaid,
    reason: isReference,
  },
);

const isGroup = hasOnly(
  {
    path: isText,
    outcome: isOneOf(GROUP_OUTCOMES),
    members: isListOf(hasOnly({ key: isText, end: isOneOf(MEMBER_ENDS) })),
    closed: isPoint,
  },
  { asked: isCount },
);

const isTrigger = hasOnly({ type: isText, sequence: isCount, hash: isHash, by: isActor });
const isProof = hasOnly({
  algorithm: isText,
  result: isText,
  compared: isListOf(hasOnly({ child: isText, parent: isText, relation: isText })),
  parentDigest: isText,
});

const isPredicate = hasOnly(
  {
    run: isText,
    turn: isCount,
    semantics: isCount,
    outcome: isOneOf(TURN_OUTCOMES),
    startedAt: isInstant,
    closedAt: isInstant,
    events: hasOnly({ first: isCount, last: isCount, head: isHash }),
    loop: isText,
    version: isText,
    loops: isListOf(hasOnly({ loop: isText, version: isText, digest: isText })),
    input: isReference,
    grant: isGrant,
    budget: hasOnly({ before: isSpending, after: isSpending }),
    effects: isListOf(isEffect),
    key: hasOnly({ id: isText, issuer: isOneOf(ISSUERS) }),
  },
  {
    parent: hasOnly({ run: isText, turn: isCount, sequence: isCount, hash: isHash }),
    reason: isText,
    output: isReference,
    groups: isListOf(isGroup),
    guidance: isListOf(isReference),
    trigger: isTrigger,
    starters: isListOf(isText),
    rules: hasOnly({}, { pinned: isText, current: isText }),
    proofs: isListOf(hasOnly({ sequence: isCount, hash: isHash, proof: isProof })),
    previous: isText,
    turnKey: isText,
  },
);

const isSubject = hasOnly({ name: isText, digest: hasOnly({ sha256: isHash }) });
const hasReceiptFields = hasOnly({
  _type: isOneOf([STATEMENT_TYPE]),
  subject: isListOf(isSubject, { least: 1, most: 1 }),
  predicateType: isOneOf([PREDICATE_TYPE]),
  predicate: isPredicate,
});

/** True for a statement that says what a receipt must say, and nothing else. */
export function isStatement(value: unknown): value is Statement {
  return hasReceiptFields(value) && namesItsTurn(value as unknown as Statement);
}

/** The signed subject and the predicate must name the same turn. */
function namesItsTurn({ subject, predicate: { run, turn, events } }: Statement): boolean {
  return subject.every(
    ({ name, digest }) => name === subjectName(run, turn) && digest.sha256 === events.head,
  );
}
