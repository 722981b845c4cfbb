/**
 * A harness file: a run as a test. It has the input, the answers of the model, the tools and the
 * people around it, and the expected result (spec/harness.md).
 */
import type { ANSWERS } from "@turnseal/host";
import type { ModelUsage } from "@turnseal/ports";
import type {
  ApprovalChoice,
  Effect,
  Grant,
  Identity,
  JsonValue,
  LoopDef,
  ModelContent,
  Policy,
  RunBounds,
} from "@turnseal/protocol";

export interface Harness {
  readonly name: string;
  readonly description?: string;
  /** The id of a loop in `from`, or a file. */
  readonly loop: string;
  readonly version?: string;
  /** Where loops are looked up: paths from the file's own folder. */
  readonly from?: readonly string[];
  /** The documents of the loops when the file was made: they show why a digest differs. */
  readonly loops?: readonly LoopDef[];
  /** The time at which the clock stands; 2026-01-01T00:00:00Z if absent. */
  readonly startsAt?: string;
  readonly input: JsonValue;
  /** The person who starts the run; the host itself if absent. */
  readonly by?: string;
  readonly grant: Grant;
  /** Rules, or the path to a file of them. */
  readonly policy?: Policy | string;
  /** Documents; one without a text is read from the file that it names. */
  readonly guidance?: readonly { readonly ref: string; readonly text?: string }[];
  readonly bounds?: Partial<RunBounds>;
  readonly model?: readonly Reply[];
  /** The answers of tools, instead of executing them, by reference. */
  readonly tools?: Readonly<Record<string, ToolScript>>;
  /** Files that are there before the run: their texts, by root and path. */
  readonly files?: FilesByRoot;
  readonly signals?: readonly SignalWord[];
  readonly caller?: readonly Word[];
  readonly expect: Expectation;
}

/** Texts by root and path. As an expectation, null is no file. */
export type FilesByRoot = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** One answer of the model. Exactly one of the first five is there. */
export interface Reply {
  readonly text?: string;
  readonly json?: JsonValue;
  readonly toolCalls?: readonly { readonly tool: string; readonly input: JsonValue }[];
  readonly content?: readonly ModelContent[];
  readonly failure?: string;
  /** That the same again may succeed. */
  readonly mayRetry?: boolean;
  readonly finishReason?: string;
  readonly usage?: ModelUsage;
  /** The expected prompt. */
  readonly asked?: string;
}

export interface ToolScript {
  readonly effect?: Effect;
  readonly build?: string;
  readonly results: readonly ToolReply[];
}

/** One answer of a tool: a result, a failure, or that it cannot tell whether it acted. */
export interface ToolReply {
  readonly result?: JsonValue;
  readonly failure?: string;
  readonly unsure?: true;
  /** That it did nothing, and may be tried again. */
  readonly mayRetry?: boolean;
  /** The expected arguments. */
  readonly given?: JsonValue;
}

export interface SignalWord {
  readonly name: string;
  readonly payload: JsonValue;
  readonly by: string;
  /** Sent once so many turns are closed; before the first if absent. */
  readonly afterTurn?: number;
}

/** A message or action from outside while the run waits. */
export type Word = WordFields & { readonly atOnce?: boolean };

interface WordFields {
  /** The tool that is decided on. */
  readonly approval?: string;
  readonly choice?: ApprovalChoice;
  readonly reason?: string;
  readonly arguments?: JsonValue;
  /** The loop whose question is answered. */
  readonly question?: string;
  readonly answer?: JsonValue;
  /** The tool whose unknown action is resolved. */
  readonly resolve?: string;
  readonly resolution?: (typeof ANSWERS)[number];
  readonly result?: JsonValue;
  /** Chooses one of several requests: the one with this input. */
  readonly request?: JsonValue;
  readonly by?: Identity;
  /** The person who withdraws the run. */
  readonly cancel?: string;
  /** Milliseconds that pass. */
  readonly wait?: number;
}

export interface Expectation extends RunExpectation {
  /** Words of the caller that were refused, by code. */
  readonly refused?: readonly string[];
  /** The files after the run. */
  readonly files?: FilesByRoot;
}

/** The expected result of a run. Only named fields are compared. */
export interface RunExpectation {
  readonly stopped?: string;
  readonly waiting?: readonly RequestExpectation[];
  readonly turns?: readonly TurnExpectation[];
  readonly events?: readonly string[] | EventsExpectation;
  readonly handoffs?: readonly (RunExpectation & { readonly loop?: string })[];
}

export interface RequestExpectation {
  readonly approval?: string;
  readonly question?: string;
  /** A tool whose action ended nobody knows how. */
  readonly unknown?: string;
  /** A signal that the next turn begins with. */
  readonly signal?: string;
  readonly to?: string;
  readonly role?: string;
  readonly request?: JsonValue;
}

export interface EventsExpectation {
  readonly includes?: readonly string[];
  readonly excludes?: readonly string[];
}

export interface TurnExpectation {
  readonly outcome?: string;
  readonly reason?: string;
  readonly decision?: string;
  /** Why there is a next turn, or none. */
  readonly because?: string;
  readonly output?: JsonValue;
  readonly receipt?: string;
  /** The number of model requests. */
  readonly rounds?: number;
  readonly loops?: readonly LoopExpectation[];
  readonly effects?: readonly EffectExpectation[];
  /** Why calls were denied, in order. */
  readonly denials?: readonly string[];
  /** Digests of the documents of the turn. */
  readonly guidance?: readonly string[];
}

export interface LoopExpectation {
  readonly loop?: string;
  readonly version?: string;
  readonly digest?: string;
}

export interface EffectExpectation {
  readonly action?: string;
  readonly tool?: string;
  readonly status?: string;
  readonly effect?: string;
  readonly rule?: string;
  readonly approvedBy?: readonly string[];
}

/** Items of any list, and fields of any map, in a harness file. */
export const HARNESS_ITEMS_MAX = 1_000;
