import { isPlainText } from "./plain-text.ts";

/** The tool that is another run: its input is that run's input. */
export const HANDOFF_TOOL = "turnseal.handoff";

/**
 * The tool that is a person or an outside agent: its input is the question, and its output the
 * answer.
 */
export const QUESTION_TOOL = "turnseal.question";

/** The tool that writes a note of the run. */
export const NOTE_TOOL = "turnseal.note";

/** The tool for an earlier output of the run: its input is a handle and a range. */
export const OUTPUT_TOOL = "turnseal.output";

/** The tool that keeps content of the run: its output is a handle. */
export const STORE_TOOL = "turnseal.store";

/** The tool that lets a plan start: its input is the plan. */
export const PLAN_TOOL = "turnseal.plan";
export const PLAN_TOOL_VERSION = "1.0.0";

/** The question that a rollback ends with, where something was not taken back. */
export const ROLLBACK_REST = "turnseal.rollback-rest";
export const ROLLBACK_REST_VERSION = "1.0.0";

/** The action that commits a group: its input is the list of member actions. */
export const GROUP_TOOL = "turnseal.group";

/** The question that a group ends with, where it was done in part. */
export const GROUP_REST = "turnseal.group-rest";
export const GROUP_REST_VERSION = "1.0.0";

/** Tools of the runtime that a document can name as its implementation. */
export const BUILT_IN_TOOLS = [
  HANDOFF_TOOL,
  QUESTION_TOOL,
  NOTE_TOOL,
  OUTPUT_TOOL,
  STORE_TOOL,
  PLAN_TOOL,
] as const;

/** True for a name of the runtime: no function under it is called. */
export function isReservedTool(name: string): boolean {
  return name.startsWith("turnseal.");
}

/** Code points of a name in a grant: of a grantor, a tool, a resource, a role. */
export const GRANT_NAME_LENGTH_MAX = 256;

const referencePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;
// A reference that reads like a file would one day be opened as one.
const fileEnding = /\.(json|yaml|yml|toml)$/i;

/** True for `<namespace>.<name>`, such as `local.refund` or `mcp.files.read_file`. */
export function isToolReference(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= GRANT_NAME_LENGTH_MAX &&
    referencePattern.test(value) &&
    !fileEnding.test(value)
  );
}

/** True for a plain text of 1 to GRANT_NAME_LENGTH_MAX code points. */
export function isGrantName(value: unknown): value is string {
  // A code point is one UTF-16 unit or two.
  return (
    isPlainText(value, 2 * GRANT_NAME_LENGTH_MAX) && isTextWithin(value, GRANT_NAME_LENGTH_MAX)
  );
}

/** True for a text that is not empty, well formed, and has at most so many code points. */
export function isTextWithin(value: unknown, codePointsMax: number): value is string {
  if (typeof value !== "string" || value === "") return false;
  // A code point is one UTF-16 unit or two; counting them all is for texts that may be short
  // enough.
  return (
    value.length <= 2 * codePointsMax && value.isWellFormed() && [...value].length <= codePointsMax
  );
}

/** True for the id of a loop that is made of a plan. */
export function isPlanLoop(id: string): boolean {
  return /^plan-[0-9a-f]{32}$/.test(id);
}
