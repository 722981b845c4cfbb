/** A connection to a server, as the rest of this package sees it. */
import type { JsonObject } from "@turnseal/protocol";

/** The revision that both sides speak. The pin holds it, so that no later start can lower it. */
export type ProtocolEra = "modern" | "legacy";

/** The extra fields of a call after a server asked for input. */
export interface AnsweredInput {
  readonly inputResponses: JsonObject;
  readonly requestState?: string;
}

export interface ToolCall {
  readonly name: string;
  /** The schema on the server, for arguments that it mirrors into headers. */
  readonly inputSchema: JsonObject;
  readonly arguments: JsonObject;
  readonly meta?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer to the question that the server ended the call before with. */
  readonly answered?: AnsweredInput;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** True where an error of the server means that it did nothing. */
  readonly isErrorUndone: boolean;
  onProgress(message: string): void;
}

export interface Connection {
  readonly era: ProtocolEra;
  /** The revision of the protocol, such as `2025-11-25`. */
  readonly revision: string;
  /** What the server calls itself: a claim, and nothing more. */
  readonly claims: string;
  isOpen(): boolean;
  /** How often the server said that its tools have changed. */
  countChanges(): number;
  /** The tools as the server lists them now, unchecked. */
  listTools(signal: AbortSignal): Promise<readonly unknown[]>;
  /** The result, unchecked. Throws `notDone` where the server did not act. */
  callTool(call: ToolCall): Promise<unknown>;
  close(): Promise<void>;
}
