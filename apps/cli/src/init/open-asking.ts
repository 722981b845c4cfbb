import { createInterface } from "node:readline";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface Asking {
  /**
   * Repeats a question until the answer is one of a few words; an empty line, and the end of the
   * input, mean the first.
   */
  ask<Choice extends string>(
    question: string,
    choices: readonly [Choice, ...Choice[]],
  ): Promise<Choice>;
  close(): void;
}

/** Asks at the terminal; undefined if the input or the output is no terminal. */
export function openAsking({
  stdin,
  stdout,
}: Pick<Surroundings, "stdin" | "stdout">): Asking | undefined {
  if (!isTerminal(stdin) || !isTerminal(stdout)) return undefined;
  const lines = createInterface({ input: stdin });
  // One reader for all questions: what is typed ahead is for the next.
  const typed = lines[Symbol.asyncIterator]();
  return {
    ask: async (question, choices) => {
      for (;;) {
        stdout.write(`${question} ${choices.join(", ")} [${choices[0]}] `);
        const { done, value = "" } = await typed.next();
        const word = value.trim().toLowerCase();
        const isLeftOut = done === true || word === "";
        const chosen = isLeftOut ? choices[0] : choices.find((choice) => choice === word);
        if (chosen !== undefined) return chosen;
      }
    },
    close: () => lines.close(),
  };
}

function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}
