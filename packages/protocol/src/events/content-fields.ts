/** The checks of each type of event; several if its content has several forms. */

import type { FieldsOf } from "../shape.ts";
import { claimedHandoff, claimedModel, claimedTool } from "./action-claim.ts";
import {
  actionResolved,
  actionUnknown,
  settledHandoff,
  settledModel,
  settledTool,
} from "./action-end.ts";
import { artifactAdopted, driftReconciled } from "./artifact.ts";
import { cacheHit } from "./cache.ts";
import { callFailure, callStart, callTime, childEnd, childStart } from "./call.ts";
import type { EventContents } from "./event.ts";
import { fanoutFixed, groupClosed, itemClosed, stepRetried, stepSkipped } from "./flow.ts";
import { logLine } from "./log.ts";
import { noteAdded, noteExpired } from "./note.ts";
import {
  approvalDecided,
  approvalExpired,
  questionAnswered,
  questionAsked,
  requestedHandoff,
  requestedTool,
} from "./people.ts";
import { planClosed, planDecided, planProposed } from "./plan.ts";
import { runBlocked, runDecided, runResolved, runStarted, runStopped } from "./run.ts";
import { cancelGiven, messageRefused, retryGiven, revokeGiven, signalGiven } from "./signal.ts";
import { turnClosed, turnDenied, turnResumed, turnStarted, turnWaiting } from "./turn.ts";

type FormsOf<Content> = Content extends unknown ? FieldsOf<Content> : never;

export const CONTENT_FIELDS: {
  readonly [Type in keyof EventContents]: readonly FormsOf<EventContents[Type]>[];
} = {
  "run.started": [runStarted],
  "run.decided": [runDecided],
  "run.blocked": [runBlocked],
  "run.stopped": [runStopped],
  "run.resolved": [runResolved],
  "signal.received": [signalGiven, cancelGiven, retryGiven, revokeGiven, messageRefused],
  "turn.started": [turnStarted],
  "turn.denied": [turnDenied],
  "turn.resumed": [turnResumed],
  "turn.waiting": [turnWaiting],
  "turn.closed": [turnClosed],
  "call.started": [callStart],
  "call.input.validated": [callTime],
  "call.output.validated": [callTime],
  "call.completed": [callTime],
  "call.errored": [callFailure],
  "child.started": [childStart],
  "child.completed": [childEnd],
  "fanout.fixed": [fanoutFixed],
  "item.closed": [itemClosed],
  "step.retried": [stepRetried],
  "step.skipped": [stepSkipped],
  "group.closed": [groupClosed],
  "action.claimed": [claimedModel, claimedTool, claimedHandoff],
  "action.settled": [settledModel, settledTool, settledHandoff],
  "action.unknown": [actionUnknown],
  "action.resolved": [actionResolved],
  "cache.hit": [cacheHit],
  "approval.requested": [requestedTool, requestedHandoff],
  "approval.decided": [approvalDecided],
  "approval.expired": [approvalExpired],
  "question.asked": [questionAsked],
  "question.answered": [questionAnswered],
  "plan.proposed": [planProposed],
  "plan.decided": [planDecided],
  "plan.closed": [planClosed],
  "note.added": [noteAdded],
  "note.expired": [noteExpired],
  "drift.reconciled": [driftReconciled],
  "artifact.adopted": [artifactAdopted],
  log: [logLine],
};
