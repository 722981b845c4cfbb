/**
 * The error model: three kinds, three mechanisms.
 *
 * 1. An outcome is a value: the system worked and the answer is no. It is never thrown.
 * 2. A failure is a `LoopError`: the world did not cooperate. `retry` says what a driver may do.
 * 3. A bug is an `InvariantError`: our own promise is broken. It must never be retried.
 */
export const RETRY_ADVICES = ["retry", "pause", "never"] as const;
export type RetryAdvice = (typeof RETRY_ADVICES)[number];

// Symbol.for survives two installed copies of this package; instanceof does not.
const marker = Symbol.for("turnseal.error");

/** The only base class of errors in the project. */
export abstract class LoopError<Code extends string> extends Error {
  readonly [marker] = true;
  readonly code: Code;
  readonly retry: RetryAdvice;

  constructor(input: { code: Code; retry: RetryAdvice; message: string; cause?: unknown }) {
    super(input.message, input.cause === undefined ? undefined : { cause: input.cause });
    this.name = new.target.name;
    this.code = input.code;
    this.retry = input.retry;
  }
}

/** True for every `LoopError`, also one made by another installed copy of this package. */
export function isLoopError(value: unknown): value is LoopError<string> {
  return typeof value === "object" && value !== null && marker in value;
}

/** The code and the advice of an error. */
export interface ErrorFacts {
  readonly code: string | undefined;
  readonly retry: RetryAdvice;
}

/**
 * Reads the code and the advice of an error. The error may come from any code, with any marking:
 * advice is taken from the closed list only. An error that throws when it is read has none.
 */
export function readErrorFacts(error: unknown): ErrorFacts {
  try {
    if (!isLoopError(error)) return { code: undefined, retry: "never" };
    const { code, retry }: { code: unknown; retry: unknown } = error;
    return {
      code: typeof code === "string" ? code : undefined,
      retry: RETRY_ADVICES.find((known) => known === retry) ?? "never",
    };
  } catch {
    return { code: undefined, retry: "never" };
  }
}

/** A broken promise of our own code. */
export class InvariantError extends LoopError<"INVARIANT_BROKEN"> {
  constructor(message: string) {
    super({ code: "INVARIANT_BROKEN", retry: "never", message });
  }
}

/** Throws when `condition` does not hold. For promises of our own code, never for input. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Makes a switch exhaustive: a new member does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${String(value)}`);
}

/** The depth to which causes are followed: a chain may be circular. */
export const ERROR_CHAIN_MAX = 8;

/** Renders an error and its causes, one clause each, outermost first. */
export function formatErrorChain(error: unknown): string {
  const clauses: string[] = [];
  let current: unknown = error;
  while (current !== undefined && clauses.length < ERROR_CHAIN_MAX) {
    clauses.push(describe(current));
    current = isErrorLike(current) ? current.cause : undefined;
  }
  return clauses.join(": ");
}

// Anything can be thrown, also an object that cannot be made a string.
function describe(thrown: unknown): string {
  if (isErrorLike(thrown)) return thrown.message;
  return typeof thrown === "object" || typeof thrown === "function"
    ? "what was thrown is not an error"
    : String(thrown);
}

// By shape and not by class: an error of another realm is one too.
function isErrorLike(value: unknown): value is { message: string; cause?: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "message" in value &&
    typeof value.message === "string"
  );
}
