/**
 * Answers a question in bounded time: with what is found now, or else with what was found last. A
 * process with much to do is busy, not broken.
 */
export interface TimelyOptions {
  readonly now?: () => number;
}

/** How long a look may take before the last answer is used. */
export const LOOK_MS_MAX = 500;
/** How old an answer may be. */
export const ANSWER_AGE_MS_MAX = 20_000;

/** The same question, answered in time; one look at a time, for any number of callers. */
export function answerInTime(
  look: () => Promise<string | undefined>,
  { now = Date.now }: TimelyOptions = {},
): () => Promise<string | undefined> {
  let last: { readonly why: string | undefined; readonly atMs: number } | undefined;
  let looking: Promise<string | undefined> | undefined;
  const begin = (): Promise<string | undefined> => {
    const found = look().then((why) => {
      last = { why, atMs: now() };
      return why;
    });
    const settled = (): void => {
      looking = undefined;
    };
    found.then(settled, settled);
    return found;
  };
  return async () => {
    looking ??= begin();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resume) => {
      timer = setTimeout(() => resume("late"), LOOK_MS_MAX);
    });
    const found = await Promise.race([looking.then((why) => ({ why })), late]);
    clearTimeout(timer);
    if (found !== "late") return found.why;
    if (last !== undefined && now() - last.atMs <= ANSWER_AGE_MS_MAX) return last.why;
    // There is no recent answer: this one is worth the wait.
    return looking ?? begin();
  };
}
