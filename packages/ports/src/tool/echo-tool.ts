import type { Tool } from "./tool.ts";

/** The in-memory reference of a tool: answers with its input. */
export const echoTool: Tool = (input) => input;
