export { openWorkspace } from "./open-workspace.ts";
export { workspaceTerms } from "./workspace-terms.ts";
