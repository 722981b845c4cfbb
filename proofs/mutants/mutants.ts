import type { Profile } from "@turnseal/conformance";
import { agentFlowMutants } from "./agent-flow-mutants.ts";
import { authorityMutants } from "./authority-mutants.ts";
import { cacheMutants } from "./cache-mutants.ts";
import { callMutants } from "./call-mutants.ts";
import { claimMutants, needMutants } from "./conduct-mutants.ts";
import { copyMutants } from "./copy-mutants.ts";
import { definitionMutants } from "./definition-mutants.ts";
import { driftMutants } from "./drift-mutants.ts";
import { endingMutants } from "./ending-mutants.ts";
import { expressionMutants } from "./expression-mutants.ts";
import { familyMutants } from "./family-mutants.ts";
import { fanOutMutants } from "./fan-out-mutants.ts";
import { fileMutants } from "./file-mutants.ts";
import { flowMutants } from "./flow-mutants.ts";
import { graphMutants } from "./graph-mutants.ts";
import { groupConductMutants, groupMutants } from "./group-mutants.ts";
import { handoffMutants } from "./handoff-mutants.ts";
import { itemEndMutants, itemMutants } from "./item-mutants.ts";
import { journalMutants } from "./journal-mutants.ts";
import { lateMutants } from "./late-mutants.ts";
import { machineMutants } from "./machine-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { noteMutants } from "./note-mutants.ts";
import { outageMutants } from "./outage-mutants.ts";
import { peopleMutants } from "./people-mutants.ts";
import { planMutants, plannedMutants } from "./plan-mutants.ts";
import { plannedFlowMutants } from "./planned-flow-mutants.ts";
import { quarantineMutants } from "./quarantine-mutants.ts";
import { rollbackMutants } from "./rollback-mutants.ts";
import { ruleMutants } from "./rule-mutants.ts";
import { sealMutants } from "./seal-mutants.ts";
import { sessionMutants } from "./session-mutants.ts";
import { sessionToolMutants } from "./session-tool-mutants.ts";
import { shownMutants } from "./shown-mutants.ts";
import { siblingMutants } from "./sibling-mutants.ts";
import { standingMutants } from "./standing-mutants.ts";
import { summaryMutants } from "./summary-mutants.ts";
import { tableMutants } from "./table-mutants.ts";
import { threadMutants } from "./thread-mutants.ts";
import { toolQuestionMutants } from "./tool-question-mutants.ts";
import { traceMutants } from "./trace-mutants.ts";
import { verifierMutants } from "./verifier-mutants.ts";
import { waitMutants } from "./wait-mutants.ts";
import { workflowMutants } from "./workflow-mutants.ts";

/** Every fault that the conformance suite is known to notice, by the profile that notices it. */
export const mutants: Readonly<Record<Profile, readonly Mutant[]>> = {
  lsem: [...traceMutants, ...callMutants, ...expressionMutants, ...definitionMutants],
  log: [
    ...endingMutants,
    ...lateMutants,
    ...quarantineMutants,
    ...outageMutants,
    ...journalMutants,
    ...sealMutants,
    ...verifierMutants,
    ...familyMutants,
    ...itemMutants,
    ...groupMutants,
    ...claimMutants,
  ],
  governed: [
    ...ruleMutants,
    ...peopleMutants,
    ...plannedMutants,
    ...authorityMutants,
    ...handoffMutants,
    ...needMutants,
    ...standingMutants,
    ...toolQuestionMutants,
  ],
  session: [...sessionMutants, ...sessionToolMutants],
  context: [
    ...threadMutants,
    ...copyMutants,
    ...shownMutants,
    ...noteMutants,
    ...cacheMutants,
    ...summaryMutants,
    ...fileMutants,
  ],
  flow: [
    ...flowMutants,
    ...planMutants,
    ...machineMutants,
    ...fanOutMutants,
    ...itemEndMutants,
    ...groupConductMutants,
    ...siblingMutants,
    ...waitMutants,
    ...workflowMutants,
  ],
  graph: [
    ...graphMutants,
    ...agentFlowMutants,
    ...plannedFlowMutants,
    ...tableMutants,
    ...driftMutants,
    ...rollbackMutants,
  ],
};
