/**
 * The answer of a tool before it is executed, in addition to grants and rules: it may run, a person
 * must approve first, or it must not run. It can be stricter than the rules, and never looser.
 */

/** The approval policy of a tool: an operator's choice, made before the tool is used. */
export const APPROVAL_POLICIES = ["always_allow", "ask", "blocked"] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** Why a tool runs at once. */
export const RUN_REASONS = ["always-allow", "not-needed", "read-only"] as const;
/** Why a person must approve first. */
export const ASK_REASONS = ["tool-asks", "by-default", "gate-failed"] as const;

export type GateAnswer =
  | { readonly kind: "run"; readonly why: (typeof RUN_REASONS)[number] }
  | {
      readonly kind: "ask";
      readonly why: (typeof ASK_REASONS)[number];
      /** The question, in words for a person. Content. */
      readonly description: string;
    }
  | { readonly kind: "blocked" };

/** UTF-16 units of the question for a person; a longer text is cut. */
export const DESCRIPTION_LENGTH_MAX = 2_000;

export interface GatedTool {
  readonly name: string;
  readonly readOnly: boolean;
  readonly policy: ApprovalPolicy;
}

/**
 * Decides by the tool's policy. `request` is the tool's own function, bound to an input: a text
 * asks for approval, null needs none. Without it, what only reads runs, and everything else asks.
 */
export function decideGate(
  tool: GatedTool,
  request: (() => string | null) | undefined,
): GateAnswer {
  const { name, readOnly, policy } = tool;
  switch (policy) {
    case "always_allow":
      return { kind: "run", why: "always-allow" };
    case "ask":
      if (request !== undefined) return readRequest(name, request);
      return readOnly ? { kind: "run", why: "read-only" } : askFor(name, "by-default", "");
    default:
      return { kind: "blocked" };
  }
}

/** A function that fails, or returns something else, has not waived the approval. */
function readRequest(name: string, request: () => unknown): GateAnswer {
  try {
    const answer = request();
    if (answer === null) return { kind: "run", why: "not-needed" };
    if (typeof answer === "string") return askFor(name, "tool-asks", answer);
  } catch {
    // Its words are not ours to repeat.
  }
  return askFor(name, "gate-failed", "");
}

function askFor(name: string, why: (typeof ASK_REASONS)[number], words: string): GateAnswer {
  const text = words.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed();
  return { kind: "ask", why, description: text.trim() === "" ? `Run ${name}?` : text };
}
