export { agentLoop, scope } from "./define-workflow.ts";
export { loadWorkflow, type WorkflowLoading } from "./load-workflow.ts";
