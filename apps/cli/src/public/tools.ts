export {
  type BubblewrapOptions,
  bubblewrap,
  type CommandToolsOptions,
  commandTools,
  fileTools,
  gitTools,
  grantTerms,
  type ProgramDocument,
  programTool,
  type Sandbox,
  unsandboxed,
  webTools,
} from "@turnseal/tools";
