export { type CommandToolsOptions, commandTools } from "./commands/command-tools.ts";
export { gitTools } from "./commands/git-tools.ts";
export { type ProgramDocument, programTool } from "./commands/program-tool.ts";
export { fileTools } from "./files/file-tools.ts";
export { type BubblewrapOptions, bubblewrap } from "./sandbox/bubblewrap.ts";
export type { Sandbox } from "./sandbox/sandbox.ts";
export { unsandboxed } from "./sandbox/unsandboxed.ts";
export { grantTerms } from "./terms/grant-terms.ts";
export { webTools } from "./web/web-tools.ts";
